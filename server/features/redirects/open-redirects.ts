import { connectAccount } from '#server/features/sync/index.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { createSerializer } from '#server/platform/serialize-by-key.ts'
import type { CallOptions, HostConnection } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import { findAccount } from './redirects.repo.ts'

export interface RedirectAccount {
  readonly id: string
  readonly ownerId: string
  readonly email: string
  /** The concurrency key of its calls. */
  readonly lane: string
  readonly connection: HostConnection
  /**
   * The account at the provider.
   * @throws AppError redirect_account_unclear if the credential has access to several
   */
  providerAccountId(options: CallOptions): Promise<string>
}

/** Cloudflare processes one change of an account's lists at a time, and what is read must not be older than a change that is stored. */
export const serializeRedirects = createSerializer()

/**
 * The only entry point to the redirects of an account: checks its owner and the actor's access level.
 * @throws AppError not_found, level_too_low
 */
export async function openRedirects(ctx: Ctx, id: string, needed: Level = 'operate'): Promise<RedirectAccount> {
  const row = await findAccount(ctx.db.orm, id)
  if (row === null) throw new AppError('not_found')
  await requireLevel(ctx, { ownerId: row.ownerId, accountId: id }, needed)
  const connection = connectAccount(ctx, row)
  return {
    id,
    ownerId: row.ownerId,
    email: row.email,
    lane: row.providerUserId ?? id,
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
