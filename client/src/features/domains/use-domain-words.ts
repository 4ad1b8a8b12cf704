import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Domain } from '#shared/features/domains/schema.ts'
import { trackerNameOf } from '#shared/features/trackers/names.ts'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { choices, type ChoiceFilter } from './list/choices.ts'

export const statusTone: Record<Domain['status'], Tone> = { active: 'good', pending: 'warn', initializing: 'info', error: 'bad' }
export const healthTone: Record<Domain['health'], Tone> = { ok: 'good', warnings: 'warn', critical: 'bad', unknown: 'idle' }

export const dnssecTone: Record<(typeof choices.dnssec)[number], Tone> = {
  active: 'good',
  pending: 'info',
  disabled: 'idle',
  'pending-disabled': 'warn',
  error: 'bad',
}

export const originCertificateTone: Record<(typeof choices.originCertificate)[number], Tone> = {
  none: 'idle',
  valid: 'good',
  expires_soon: 'warn',
  expired: 'bad',
}

const soonMs = 30 * 86_400_000
/** The tone of an expiry date. */
export const paidTone = (until: string): Tone => {
  const leftMs = new Date(until).getTime() - Date.now()
  return leftMs <= 0 ? 'bad' : leftMs <= soonMs ? 'warn' : 'good'
}

interface DomainWords {
  /** Includes the provider's own value where ours is less specific. */
  status: (domain: Pick<Domain, 'status' | 'providerStatus' | 'gone'>) => string
  health: (health: Domain['health']) => string
  /** An unknown value is shown unchanged. */
  ssl: (mode: string) => string
  level: (level: string) => string
  aiBots: (choice: string) => string
  dnssec: (status: string) => { tone: Tone; word: string }
  originCertificate: (state: NonNullable<Domain['originCertificate']>) => string
  choice: (filter: ChoiceFilter, value: string) => string
}

/** Labels of values. */
export function useDomainWords(): DomainWords {
  const { t } = useTranslation('domains')
  return useMemo((): DomainWords => {
    const ssl = (mode: string): string => {
      const known = choices.ssl.find((each) => each === mode)
      return known === undefined ? mode : t(`ssl.${known}`)
    }
    const level = (value: string): string => {
      const known = choices.securityLevel.find((each) => each === value)
      return known === undefined ? value : t(`security_level.${known}`)
    }
    const aiBots = (value: string): string => {
      const known = choices.aiBots.find((each) => each === value)
      return known === undefined ? value : t(`ai_bots.${known}`)
    }
    const dnssec = (value: string): { tone: Tone; word: string } => {
      const known = choices.dnssec.find((each) => each === value)
      return known === undefined ? { tone: 'idle', word: value } : { tone: dnssecTone[known], word: t(`dnssec.${known}`) }
    }
    const originCertificate = (state: NonNullable<Domain['originCertificate']>): string => t(`origin_certificate.${state}`)
    return {
      ssl,
      level,
      aiBots,
      dnssec,
      originCertificate,
      health: (health) => t(`health.${health}`),
      status: ({ status, providerStatus, gone }) => {
        if (gone) return t('marks.gone')
        const word = t(`status.${status}`)
        return providerStatus === '' || providerStatus === status ? word : `${word} (${providerStatus})`
      },
      choice: (filter, value) => {
        switch (filter) {
          case 'ssl':
            return ssl(value)
          case 'securityLevel':
            return level(value)
          case 'tlsMin':
            return value
          case 'status':
            return t(`status.${value as (typeof choices.status)[number]}`)
          case 'https':
          case 'botFightMode':
          case 'aiLabyrinth':
          case 'managedRobotsTxt':
            return t(`on_off.${value as (typeof choices.https)[number]}`)
          case 'aiBots':
            return aiBots(value)
          case 'dnssec':
            return dnssec(value).word
          case 'originCertificate':
            return originCertificate(value as (typeof choices.originCertificate)[number])
          case 'traffic':
            return t(`traffic.${value as (typeof choices.traffic)[number]}`)
          case 'health':
            return t(`health.${value as (typeof choices.health)[number]}`)
          case 'tracker':
            return value === 'none' ? t('tracker.none') : trackerNameOf(value)
        }
      },
    }
  }, [t])
}
