import type { z } from 'zod'
import { registrationByAddress, subscriberOf } from '#server/features/auth/auth.policy.ts'
import { hasUsers } from '#server/features/auth/auth.repo.ts'
import { actorOf, createUser } from '#server/features/auth/create-user.ts'
import { openSession, markSecondFactorDue } from '#server/features/auth/open-session.ts'
import { takeByAddress } from '#server/features/auth/sign-in-limits.ts'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import { refuseOwnPassword } from '#shared/features/auth/weak-password.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { registerInput, signedIn } from '#shared/features/auth/schema.ts'

/** @throws AppError too_many_attempts, registration_closed, email_taken, validation_failed if the password is their own name */
export async function register(ctx: Ctx<Actor | null>, input: z.output<typeof registerInput>): Promise<z.infer<typeof signedIn>> {
  await takeByAddress(ctx, 'register', registrationByAddress)
  const { registration } = await getPanelSettings(ctx)
  if (registration === 'closed' && (await hasUsers(ctx.db.orm))) {
    await audit(
      ctx.db.orm,
      { ...ctx, actor: null },
      { action: 'denied', entityType: 'user', entityName: input.email, details: { why: 'registration_closed' } },
    )
    throw new AppError('registration_closed')
  }

  refuseOwnPassword(input.password, input)
  const passwordHash = await hashPassword(input.password, subscriberOf(ctx.address))
  const name = input.name === undefined || input.name === '' ? null : input.name
  const signed = await ctx.db.orm.transaction(async (tx) => {
    const user = await createUser(tx, { email: input.email, name, passwordHash, as: registration })
    const entry = { entityType: 'user', entityId: user.id, entityName: user.email, ownerId: user.id } as const
    await audit(tx, { ...ctx, actor: actorOf(user) }, { ...entry, action: 'create', details: { role: user.role } })
    await ctx.events.publish(tx, user.id, 'users')
    const opened = await openSession(ctx, tx, user, 'password')
    if (opened === null) throw new Error('a new user has a second factor')
    return opened
  })
  return markSecondFactorDue(ctx, signed)
}
