import type { Profile } from '#shared/features/profiles/schema.ts'
import type { ShownProfile } from './profiles.repo.ts'

export const toProfile = ({ createdAt, updatedAt, ...row }: ShownProfile): Profile => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
