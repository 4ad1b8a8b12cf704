import { useMemo } from 'react'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { allows, type Level } from '#shared/features/sharing/rules.ts'
import { trpc } from '#client/lib/trpc.ts'
import { disambiguateNames } from './choose-registrars.ts'

const none: readonly Registrar[] = []

/**
 * The registrars to which the user may attach domains, or for which they have the `needed` permission; of one owner, or of all. Undefined while
 * loading.
 */
export function useManagedRegistrars(ownerId?: string, needed: Level = 'operate'): readonly Registrar[] | undefined {
  const list = trpc.registrars.list.useQuery({})
  const registrars = list.data?.registrars ?? (list.isError ? none : undefined)
  return useMemo(
    () =>
      registrars &&
      disambiguateNames(registrars.filter((each) => (ownerId === undefined || each.ownerId === ownerId) && allows(each.shared, needed))),
    [registrars, ownerId, needed],
  )
}
