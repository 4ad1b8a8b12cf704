import { isIPv4 } from 'node:net'
import type { z } from 'zod'
import { lookupDomains } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { bulkAnswer, bulkCreateRequest, OperationPreview } from '#shared/features/operations/schema.ts'
import { parseZoneName } from '#shared/features/zone-creation/zone-name.ts'
import { startOperation } from './control-operation.ts'
import { estimate } from './estimate.policy.ts'
import type { CreateInput } from './kinds/create.ts'
import { toOperation } from './operation-view.ts'
import { insertOperation, listCreationAccounts } from './operations.repo.ts'

/** Which account, a zone, its records, and two settings that are read before they are changed. */
const callsEach = 7

interface Name {
  readonly name: string
  /** Why it takes no part. */
  readonly refused: string | null
}

/** Each line as it is understood; those that cannot be added, are given twice, or are ours already are told apart. */
async function readNames(ctx: Ctx, given: readonly string[]): Promise<Name[]> {
  const read = given.map((line) => ({ line, parsed: parseZoneName(line) }))
  const names = [...new Set(read.flatMap(({ parsed }) => ('name' in parsed ? [parsed.name] : [])))]
  const ours = new Set<string>()
  if (names.length > 0) {
    for (const { name, state } of (await lookupDomains(ctx, names)).results) if (name !== null && state === 'ours') ours.add(name)
  }
  const seen = new Set<string>()
  return read.map(({ line, parsed }) => {
    if ('fault' in parsed) return { name: line, refused: parsed.fault }
    const { name } = parsed
    const repeated = seen.has(name)
    seen.add(name)
    return { name, refused: repeated ? 'domain_repeated' : ours.has(name) ? 'domain_ours' : null }
  })
}

/**
 * What adding these domains would do, as a draft; nothing is sent. All begin at the first account.
 * @throws AppError not_found for an account that is not there or somebody else's, nothing_to_do where no name is left
 */
export async function previewCreate(ctx: Ctx, input: CreateInput): Promise<OperationPreview> {
  const accountIds = [...new Set(input.accountIds)]
  const accounts = await listCreationAccounts(ctx.db, accountIds, ctx.actor.role === 'admin' ? null : ctx.actor.userId)
  const [ownerId, ...others] = new Set(accounts.map((account) => account.ownerId))
  const first = accounts.find(({ accountId }) => accountId === accountIds[0])
  if (first === undefined || ownerId === undefined || others.length > 0 || accounts.length !== accountIds.length) {
    throw new AppError('not_found')
  }
  const names = await readNames(ctx, input.domains)
  const adding = names.filter(({ refused }) => refused === null).length
  const counted = estimate(
    Array.from({ length: adding }, () => ({ lane: first.lane, accountEmail: first.accountEmail, calls: callsEach })),
    ctx.callBudget,
  )
  const dangers = input.enableProxy ? [] : ['origin_exposed']
  const { ipAddress, createWww, enableProxy: proxied } = input
  const addresses = (name: string) => [
    { type: isIPv4(ipAddress) ? 'A' : 'AAAA', name, content: ipAddress, proxied },
    ...(createWww ? [{ type: 'CNAME', name: `www.${name}`, content: name, proxied }] : []),
  ]
  const row = await ctx.db.orm.transaction((tx) =>
    insertOperation(
      tx,
      {
        ownerId,
        actorId: ctx.actor.userId,
        actorName: ctx.actor.name,
        kind: 'create',
        input: { ...input, accountIds, domains: [] },
        total: names.length,
        calls: counted.calls,
        counts: { pending: adding, skipped: names.length - adding },
      },
      names.map(({ name, refused }) => ({
        accountId: first.accountId,
        accountEmail: first.accountEmail,
        lane: first.lane,
        name,
        plan:
          refused === null
            ? { before: [], after: addresses(name), dangers, calls: callsEach }
            : { before: null, after: null, dangers: [], calls: 0 },
        ...(refused === null ? {} : { state: 'skipped' as const, code: refused }),
      })),
    ),
  )
  return {
    operation: toOperation(row),
    unchanged: 0,
    dangers: dangers.length === 0 || adding === 0 ? {} : { origin_exposed: adding },
    ...counted,
  }
}

/** For tools: plans and starts in one call, or with `preview` plans and sends nothing. */
export async function createMany(ctx: Ctx, { preview, ...input }: z.output<typeof bulkCreateRequest>): Promise<z.infer<typeof bulkAnswer>> {
  const plan = await previewCreate(ctx, input)
  if (preview) return { preview: plan, operation: plan.operation }
  return startOperation(ctx, { id: plan.operation.id })
}
