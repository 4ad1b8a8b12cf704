import type { Ctx } from '#server/platform/context.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import type { CallOptions, HostedRuleset } from '#server/ports/dns-host.ts'
import { ownListName } from '#shared/features/redirects/own-list.ts'
import type { OpenAccount } from '#server/features/sync/index.ts'
import { replaceMirror } from './redirects.repo.ts'
import type { ListRow } from './redirects.repo.ts'

/**
 * Reads the account's redirects and stores them.
 * @throws AppError provider_*, redirect_account_unclear
 */
export async function readRedirects(ctx: Ctx, account: OpenAccount, call: CallOptions): Promise<ListRow> {
  const { connection } = account
  const readAt = new Date(ctx.clock.now())
  const at = await account.providerAccountId(call)
  const lists = await connection.listRedirectLists(at, call)
  const own = lists.find(({ name }) => name === ownListName) ?? null
  const [found, rules] =
    own === null ? [[], null] : await Promise.all([connection.listRedirects(at, own.id, call), connection.getRedirectRules(at, call)])
  const list = {
    accountId: account.id,
    listId: own?.id ?? null,
    rule: ruleOf(rules),
    othersCount: lists.reduce((sum, { id, redirectsCount }) => (id === own?.id ? sum : sum + redirectsCount), 0),
    readAt,
  }
  await ctx.db.orm.transaction(async (tx) => {
    await requireClaim()
    await replaceMirror(tx, list, found)
    await ctx.events.publish(tx, account.ownerId, 'accounts', [account.id])
  })
  return list
}

export function ruleOf(rules: HostedRuleset | null): ListRow['rule'] {
  const own = rules?.rules.find(({ ref }) => ref === ownListName)
  return own === undefined ? 'absent' : own.definition.enabled ? 'enabled' : 'disabled'
}
