import type { Group } from '#shared/features/groups/schema.ts'
import type { ShownGroup } from './groups.repo.ts'

export const toGroup = ({ createdAt, ...row }: ShownGroup): Group => ({ ...row, createdAt: createdAt.toISOString() })
