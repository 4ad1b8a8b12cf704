import type { Group } from '#shared/features/groups/schema.ts'
import type { ShownGroup } from './groups.repo.ts'

/** Who else has access is its owner's to know. */
export const toGroup = ({ createdAt, ...row }: ShownGroup, shared: Group['shared']): Group => ({
  ...row,
  shared,
  sharedWith: shared === null ? row.sharedWith : 0,
  createdAt: createdAt.toISOString(),
})
