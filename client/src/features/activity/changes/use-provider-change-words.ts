import { useMemo } from 'react'
import { unknownActor } from '#shared/features/provider-changes/names.ts'
import { useTranslation } from 'react-i18next'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import type { Change } from './search.ts'

/** The provider's terms with texts; others are shown unchanged. */
const actions = ['create', 'update', 'delete'] as const
const credentials = ['dash', 'api_key', 'api_token'] as const

const tones: Readonly<Record<string, Tone>> = { create: 'good', update: 'info', delete: 'warn' }
export const actionTone = ({ action, critical }: Change): Tone => (critical === null ? (tones[action] ?? 'idle') : 'bad')

export interface ProviderChangeWords {
  kind: (kind: Change['kind']) => string
  /** What was done, or why it is critical. */
  action: (change: Change) => string
  author: (change: Change) => string
  /** Through what the author acted; null if it is unknown or is the author. */
  via: (change: Change) => string | null
  /** The object; its product or kind if it has no name. */
  what: (change: Change) => string
}

export function useProviderChangeWords(): ProviderChangeWords {
  const { t } = useTranslation('provider-changes')
  return useMemo(
    (): ProviderChangeWords => ({
      kind: (kind) => t(`kinds.${kind}`),
      action: ({ action, critical }) => {
        if (critical !== null) return t(`critical.${critical}`)
        const known = actions.find((each) => each === action)
        return known === undefined ? action : t(`actions.${known}`)
      },
      author: ({ actor: { name } }) => (name === unknownActor ? t('unknown_author') : name),
      via: ({ isOwn, actor: { name, via, tokenName } }) => {
        if (isOwn) return t('by_panel')
        if (tokenName !== null && tokenName !== name) return t('by_token', { name: tokenName })
        const known = credentials.find((each) => each === via)
        return known === undefined ? via : t(`credentials.${known}`)
      },
      what: ({ subject, product, kind }) => subject ?? product ?? t(`kinds.${kind}`),
    }),
    [t],
  )
}
