import { useMemo } from 'react'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { trpc } from '#client/lib/trpc.ts'
import { tellApart } from './tell-apart.ts'

const none: readonly Registrar[] = []

/** The registrars that domains may be attached to; of one owner, or of all. Undefined while they are read. */
export function useManagedRegistrars(ownerId?: string): readonly Registrar[] | undefined {
  const list = trpc.registrars.list.useQuery({})
  const registrars = list.data?.registrars ?? (list.isError ? none : undefined)
  return useMemo(
    () => registrars && tellApart(registrars.filter((each) => ownerId === undefined || each.ownerId === ownerId)),
    [registrars, ownerId],
  )
}
