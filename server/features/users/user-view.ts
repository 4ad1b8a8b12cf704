import type { ManagedUser } from '#shared/features/users/schema.ts'
import type { ShownUser } from './users.repo.ts'

export const toManagedUser = ({ lastSeenAt, updatedAt, createdAt, disabledAt, ...row }: ShownUser): ManagedUser => ({
  ...row,
  lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
  updatedAt: updatedAt.toISOString(),
  createdAt: createdAt.toISOString(),
  disabledAt: disabledAt?.toISOString() ?? null,
})
