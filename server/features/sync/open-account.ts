import { requireLevel } from '#server/platform/access-scope.ts'
import type { Ctx, Services } from '#server/platform/context.ts'
import type { CallOptions, HostConnection } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import { connectAccount } from './account-credential.ts'
import { findAccount } from './open-account.repo.ts'
import type { Account } from './open-account.repo.ts'

export interface OpenAccount {
  readonly id: string
  readonly ownerId: string
  readonly email: string
  /** Differs after its key has changed. */
  readonly credentialHash: string
  /** Differs after a person has entered its key or requested a check. */
  readonly checkRunId: string | null
  /** Those that its key has access to, as far as they are known. */
  readonly providerAccountIds: readonly string[]
  /** The concurrency key of its calls. */
  readonly lane: string
  readonly connection: HostConnection
  /**
   * The account at the provider.
   * @throws AppError redirect_account_unclear if the credential has access to several
   */
  providerAccountId(options: CallOptions): Promise<string>
}

/**
 * The entry point to what an account has at the provider besides zones: checks its owner and the actor's access level.
 * @throws AppError not_found, level_too_low
 */
export async function openAccount(ctx: Ctx, id: string, needed: Level = 'operate'): Promise<OpenAccount> {
  const row = await findAccount(ctx.db.orm, id)
  if (row === null) throw new AppError('not_found')
  await requireLevel(ctx, { ownerId: row.ownerId, accountId: id }, needed)
  return open(ctx, row)
}

/** For jobs, which act for the owner of the account; null if it is gone. */
export async function openAccountOfJob(services: Services, id: string): Promise<OpenAccount | null> {
  const row = await findAccount(services.db.orm, id)
  return row === null ? null : open(services, row)
}

function open(services: Services, row: Account): OpenAccount {
  const connection = connectAccount(services, row)
  return {
    id: row.id,
    ownerId: row.ownerId,
    email: row.email,
    credentialHash: row.credentialHash,
    checkRunId: row.checkRunId,
    providerAccountIds: row.providerAccountIds,
    lane: row.providerUserId ?? row.id,
    connection,
    providerAccountId: async (options) => {
      const known =
        row.providerAccountIds.length > 0 ? row.providerAccountIds : (await connection.identify(options)).accounts.map(({ id }) => id)
      const [only, ...others] = known
      if (only === undefined || others.length > 0) throw new AppError('redirect_account_unclear', { params: { accounts: known.length } })
      return only
    },
  }
}
