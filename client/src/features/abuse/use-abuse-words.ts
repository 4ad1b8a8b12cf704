import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { counted } from '#client/lib/format.ts'
import type { Report } from './search.ts'

/** Cloudflare's terms with texts; others are shown unchanged. */
const mitigationTypes = [
  'legal_block',
  'misleading_interstitial',
  'phishing_interstitial',
  'malware_interstitial',
  'copyright_interstitial',
  'network_block',
  'geo_block',
  'rate_limit_cache',
  'account_suspend',
  'user_suspend',
  'redirect_video_stream',
  'registrar_freeze',
  'registrar_parking',
] as const

export const stateTones: Readonly<Record<Report['state'], Tone>> = { open: 'bad', in_work: 'warn', done: 'good' }

/** `2 active, 1 pending`. */
export function useAbuseWords() {
  const { t } = useTranslation('abuse-reports')
  return useMemo(
    () => ({
      mitigations: ({ mitigations: { active, pending, inReview } }: Report): string => {
        const parts = [
          active > 0 ? t('mitigations.active', counted(active)) : null,
          pending > 0 ? t('mitigations.pending', counted(pending)) : null,
          inReview > 0 ? t('mitigations.in_review', counted(inReview)) : null,
        ].filter((part) => part !== null)
        return parts.length === 0 ? t('mitigations.none') : parts.join(', ')
      },
      mitigationType: (type: string): string => {
        const known = mitigationTypes.find((each) => each === type)
        return known === undefined ? type : t(`mitigation_types.${known}`)
      },
    }),
    [t],
  )
}
export type AbuseWords = ReturnType<typeof useAbuseWords>

const two = (value: number) => String(value).padStart(2, '0')
/** Due before today, in the person's own time zone. */
export function isOverdue({ dueOn, state }: Pick<Report, 'dueOn' | 'state'>): boolean {
  const now = new Date()
  return dueOn !== null && state !== 'done' && dueOn < `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
