import type { Share } from '#shared/features/sharing/schema.ts'
import type { ShareRow } from './shares.repo.ts'

export const toShare = ({ id, groupId, accountId, registrarId, trackerId, userId, name, username, level, createdAt }: ShareRow): Share => ({
  id,
  groupId,
  accountId,
  registrarId,
  trackerId,
  user: { id: userId, name, username },
  level,
  createdAt: createdAt.toISOString(),
})
