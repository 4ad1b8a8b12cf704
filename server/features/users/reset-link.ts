import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { forgetChallenges } from '#server/features/two-factor/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import { forgetSignIns } from '#server/platform/attempts.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import { rememberDevice } from '#server/platform/known-device.ts'
import { refuseOwnPassword } from '#shared/features/auth/weak-password.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { resetByLinkInput, resetLink } from '#shared/features/users/schema.ts'
import { personLabel } from '#shared/features/users/person-label.ts'
import { endAccess } from './end-access.ts'
import { getShown, hasResetTicket, replaceResetTicket, takeResetTicket, updateUserRow } from './users.repo.ts'

const lifetimeMs = 24 * 3600_000

const hash = (ticket: string): string => createHash('sha256').update(ticket).digest('base64url')
const entryOf = (user: { readonly id: string; readonly email: string }) =>
  ({ action: 'update', entityType: 'user', entityId: user.id, entityName: user.email, ownerId: user.id }) as const

/**
 * Creates a link to set a new password: once, within a day. The old password stays valid until then.
 * @throws AppError not_found, user_disabled, confirmation_needed, session_only
 */
export async function createResetLink(ctx: Ctx, { id }: { readonly id: string }): Promise<z.infer<typeof resetLink>> {
  requireRecentAuth(ctx)
  const ticket = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.clock.now() + lifetimeMs)
  await ctx.db.orm.transaction(async (tx) => {
    const user = await getShown(tx, id)
    if (user.disabledAt !== null) throw new AppError('user_disabled')
    await replaceResetTicket(tx, { id: hash(ticket), userId: user.id, expiresAt })
    await audit(tx, ctx, { ...entryOf(user), details: { resetLink: 'made' } })
  })
  return { path: `/reset-password#${ticket}`, expiresAt: expiresAt.toISOString() }
}

/** Whether a link is valid; checking does not use it up. */
export const checkResetLink = async (ctx: Ctx<Actor | null>, { ticket }: { readonly ticket: string }): Promise<{ works: boolean }> => ({
  works: await hasResetTicket(ctx.db.orm, hash(ticket), new Date(ctx.clock.now())),
})

/**
 * Uses the link and sets the password; every session of the person ends, and they sign in as usual, with their second factor if any.
 * @throws AppError challenge_expired for a used, expired or unknown link, validation_failed
 */
export async function resetByLink(ctx: Ctx<Actor | null>, input: z.output<typeof resetByLinkInput>): Promise<{ success: true }> {
  const id = hash(input.ticket)
  const now = new Date(ctx.clock.now())
  // Before the password is hashed, so that strangers cannot cause that work.
  if (!(await hasResetTicket(ctx.db.orm, id, now))) throw new AppError('challenge_expired')
  const passwordHash = await hashPassword(input.password)
  const user = await ctx.db.orm.transaction(async (tx) => {
    const user = await takeResetTicket(tx, id, now)
    if (user === null || user.disabledAt !== null) throw new AppError('challenge_expired')
    // The link stays valid, because the transaction is rolled back.
    refuseOwnPassword(input.password, user)
    await updateUserRow(tx, user.id, { passwordHash })
    const actor = { kind: 'user', userId: user.id, name: personLabel(user) } as const
    await audit(tx, { ...ctx, actor }, { ...entryOf(user), details: { password: 'changed', resetLink: 'used' } })
    await endAccess({ ...ctx, actor }, tx, user.id, { tokens: input.revokeTokens })
    await forgetChallenges(tx, user.id)
    await ctx.events.publish(tx, user.id, 'users')
    return user
  })
  await forgetSignIns(ctx, user.email)
  rememberDevice(ctx, user.id)
  return { success: true }
}
