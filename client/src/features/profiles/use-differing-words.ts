import { useTranslation } from 'react-i18next'
import { counted } from '#client/lib/format.ts'
import type { Outputs } from '#client/lib/trpc.ts'

/** How many domains of a profile differ, and how many are not compared yet. */
export function useDifferingWords(): (counts: Outputs['profiles']['differing']) => string {
  const { t } = useTranslation('profiles')
  return ({ differing, unread }) =>
    differing + unread === 0
      ? t('none_differ')
      : [differing === 0 ? null : t('differ', counted(differing)), unread === 0 ? null : t('unread_domains', counted(unread))]
          .filter((part) => part !== null)
          .join(' · ')
}
