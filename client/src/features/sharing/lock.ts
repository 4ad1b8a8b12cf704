import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { allows, isAtLeast, type Level } from '#shared/features/sharing/rules.ts'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { formatNumber } from '#client/lib/format.ts'

const Context = createContext<SharedWithMe>(null)

/** How the resource of a page is shared, for the locks of its controls. */
export const SharedProvider = Context.Provider

/** Whether the user has the `needed` permission on the page's resource. */
export const useAllowed = (needed: Level): boolean => allows(useContext(Context), needed)

/** Why the user lacks a level on a resource; null if they have it. Defaults to the page's resource. */
export function useLock(sharedWithMe?: SharedWithMe): (needed: Level) => string | null {
  const { t } = useTranslation()
  const page = useContext(Context)
  const shared = sharedWithMe === undefined ? page : sharedWithMe
  return (needed) =>
    shared === null || isAtLeast(shared.level, needed) ? null : t('shared.needs', { needed: t(`shared.level.${needed}`) })
}

interface ManyLock<Item> {
  /** The objects that are permitted. */
  allowed: readonly Item[]
  /** Why none of them is permitted. */
  lock: string | null
  /** The number of excluded objects as text; null if none or all are. */
  note: string | null
}

/** The same for a selection of objects. */
export function useManyLock<Item extends { readonly shared: SharedWithMe }>(items: readonly Item[]): (needed: Level) => ManyLock<Item> {
  const { t } = useTranslation()
  return (needed) => {
    const allowed = items.filter(({ shared }) => allows(shared, needed))
    const leftOut = items.length - allowed.length
    const words = { needed: t(`shared.level.${needed}`), formatted: formatNumber(leftOut) }
    return {
      allowed,
      lock: leftOut > 0 && allowed.length === 0 ? t('shared.needs_some', words) : null,
      note: leftOut > 0 && allowed.length > 0 ? t('shared.left_out', words) : null,
    }
  }
}
