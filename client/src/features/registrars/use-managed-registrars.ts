import { useMemo } from 'react'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { allows, type Level } from '#shared/features/sharing/rules.ts'
import { trpc } from '#client/lib/trpc.ts'
import { disambiguateNames } from './choose-registrars.ts'

const none: readonly Registrar[] = []

/** The registrars that domains may be attached to, or with which the person may do what takes `needed`; of one owner, or of all. Undefined while they are read. */
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
