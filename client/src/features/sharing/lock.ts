import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { allows, isAtLeast, type Level } from '#shared/features/sharing/rules.ts'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { formatNumber } from '#client/lib/format.ts'

const Context = createContext<SharedWithMe>(null)

/** How the resource is shared that a page is of, for the locks of everything on it. */
export const SharedProvider = Context.Provider

/** Whether the person may do with the page's resource what takes `needed`. */
export const useAllowed = (needed: Level): boolean => allows(useContext(Context), needed)

/** Why the person may not do with a resource what takes a level; null where they may. Without an argument: with the page's. */
export function useLock(sharedWithMe?: SharedWithMe): (needed: Level) => string | null {
  const { t } = useTranslation()
  const page = useContext(Context)
  const shared = sharedWithMe === undefined ? page : sharedWithMe
  return (needed) =>
    shared === null || isAtLeast(shared.level, needed) ? null : t('shared.needs', { needed: t(`shared.level.${needed}`) })
}

interface ManyLock<Item> {
  /** Those that the person may do it with. */
  allowed: readonly Item[]
  /** Why it cannot be done with any of them. */
  lock: string | null
  /** How many are left out, in words; null where none is, or all are. */
  note: string | null
}

/** The same for objects that were chosen together. */
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
