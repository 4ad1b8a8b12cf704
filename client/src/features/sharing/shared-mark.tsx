import { IconShare2, IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { PersonName } from '#client/ui/display/person-name.tsx'
import classes from './sharing.module.css'

/** Who shares a resource with the user and at which level; null for the user's own. */
export function useSharedWords(): (shared: SharedWithMe) => string | null {
  const { t } = useTranslation()
  return (shared) => (shared === null ? null : t('shared.by', { name: shared.by, level: t(`shared.level.${shared.level}`) }))
}

/** Beside a name: who shares it and at which level, or with how many users it is shared. `brief`: only the icon. */
export function SharedMark({ shared, sharedWith = 0, brief = false }: { shared: SharedWithMe; sharedWith?: number; brief?: boolean }) {
  const { t } = useTranslation()
  const words = useSharedWords()
  if (shared === null && sharedWith === 0) return null
  const hint = words(shared) ?? t('shared.with', counted(sharedWith))
  return (
    <span className={classes['mark']} title={hint} role="img" aria-label={hint}>
      {shared === null ? <IconShare2 size={13} stroke={1.8} aria-hidden /> : <IconUsers size={13} stroke={1.8} aria-hidden />}
      {brief ? null : (
        <span className="flex shrink" aria-hidden>
          {shared === null ? formatNumber(sharedWith) : <PersonName label={shared.by} title={hint} />}
        </span>
      )}
    </span>
  )
}
