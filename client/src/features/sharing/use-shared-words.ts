import { useTranslation } from 'react-i18next'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'

/** Who shares a thing with the person and how far; null where it is their own. */
export function useSharedWords(): (shared: SharedWithMe) => string | null {
  const { t } = useTranslation()
  return (shared) => (shared === null ? null : t('shared.by', { name: shared.by, level: t(`shared.level.${shared.level}`) }))
}
