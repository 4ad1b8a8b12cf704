import type { Role } from '#shared/features/auth/schema.ts'
import type { TwoFactorPolicy } from '#shared/features/settings/schema.ts'

/** Whether the panel's policy wants this person to have a second factor. `sessions.repo.ts` says the same in SQL. */
export const isSecondFactorRequired = (policy: TwoFactorPolicy, role: Role): boolean =>
  policy === 'everyone' || (policy === 'admins' && role === 'admin')
