import { isIPv4 } from 'node:net'
import type { z } from 'zod'
import { lookupDomains } from '#server/features/domains/index.ts'
import { callsForNewZone, getDefaultProfile, getProfile } from '#server/features/profiles/index.ts'
import {
  creationLimit,
  distribute,
  firstSettings,
  getAccountCapacities,
  listGroups,
  profileOfNew,
} from '#server/features/domains/creation/index.ts'
import { callsForNameServers, getAttachable, previewServersNow } from '#server/features/registrars/index.ts'
import { listTrackerAddresses } from '#server/features/trackers/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { OperationKindName } from '#shared/features/operations/registry.ts'
import type { AccountReason, AccountSpread, bulkAnswer, bulkCreateRequest, OperationPreview } from '#shared/features/operations/schema.ts'
import { hasApi } from '#shared/features/registrars/rules.ts'
import { parseZoneName } from '#shared/features/domains/creation/zone-name.ts'
import { boundDrafts } from '../bound-drafts.ts'
import { startOperation } from '../control-operation.ts'
import { atRegistrar, estimate, partsOf } from '../estimate.policy.ts'
import type { CreateInput, CreateWork } from './create.ts'
import { toOperation } from '../operation-view.ts'
import { insertOperation } from '../operations.repo.ts'
import type { Called, PlannedItem } from '../planned.ts'

/** Account, zone, and two settings that are each read before the change; records take one more call. */
const callsForZone = 6

interface Line {
  readonly name: string
  /** Why it is excluded. */
  readonly refused: string | null
  readonly ipAddress: string | null
  readonly groupId: string | null
  readonly registrarId: string | null
  readonly accountId: string | null
}

/** Classifies each line: invalid, repeated, already in the panel, or new. */
async function readLines(ctx: Ctx, input: CreateInput): Promise<Line[]> {
  const read = input.domains.map((given) => {
    const line = typeof given === 'string' ? { name: given } : given
    return { line, parsed: parseZoneName(line.name) }
  })
  const names = [...new Set(read.flatMap(({ parsed }) => ('name' in parsed ? [parsed.name] : [])))]
  const ours = new Set<string>()
  if (names.length > 0) {
    for (const { name, state } of (await lookupDomains(ctx, names)).results) if (name !== null && state === 'ours') ours.add(name)
  }
  const seen = new Set<string>()
  return read.map(({ line, parsed }) => {
    const own = {
      ipAddress: line.ipAddress ?? input.ipAddress ?? null,
      groupId: line.groupId ?? input.groupId ?? null,
      registrarId: line.registrarId ?? input.registrarId ?? null,
      accountId: line.accountId ?? null,
    }
    if ('fault' in parsed) return { ...own, name: line.name, refused: parsed.fault }
    const { name } = parsed
    const repeated = seen.has(name)
    seen.add(name)
    return { ...own, name, refused: repeated ? 'domain_repeated' : ours.has(name) ? 'domain_ours' : null }
  })
}

/** A name that is not in the panel but delegated to Cloudflare has its zone in an account that the panel does not know. */
const isAtCloudflare = (hosts: readonly string[] | null | undefined): boolean =>
  hosts != null && hosts.length > 0 && hosts.every((host) => host.toLowerCase().replace(/\.$/, '').endsWith('.ns.cloudflare.com'))

interface Dealt {
  readonly account: Awaited<ReturnType<typeof getAccountCapacities>>[number]
  readonly reason: AccountReason
  readonly round: number
}

/** Assigns an account to each line: the named one, or the next by distribution. */
function deal(
  lines: readonly Line[],
  accounts: ReadonlyMap<string, Dealt['account']>,
  order: readonly string[],
  spread: AccountSpread,
): Dealt[] {
  const inOrder = order.flatMap((id) => accounts.get(id) ?? [])
  const named = Map.groupBy(
    lines.filter(({ refused, accountId }) => refused === null && accountId !== null),
    ({ accountId }) => accountId,
  )
  const free = lines.filter(({ refused, accountId }) => refused === null && accountId === null).length
  const capacities = inOrder.map((account) => {
    const own = named.get(account.id)?.length ?? 0
    return { ...account, pending: account.pending + own, createdLately: account.createdLately + own }
  })
  const shares = distribute(free, capacities, spread).values()
  const first = inOrder[0]
  if (first === undefined) throw new AppError('not_found')
  return lines.map(({ refused, accountId }) => {
    const account = accountId === null ? undefined : accounts.get(accountId)
    if (account !== undefined) return { account, reason: 'named', round: 0 }
    const share = refused === null ? shares.next().value : undefined
    return { account: inOrder[share?.account ?? 0] ?? first, reason: share?.reason ?? 'first', round: share?.round ?? 0 }
  })
}

/** Domains per account, in the order of the accounts. */
function sharesOf(items: readonly (Pick<Line, 'refused'> & Dealt)[]): NonNullable<OperationPreview['shares']> {
  const shares = new Map<string, { account: string; items: number; reason: AccountReason }>()
  for (const { refused, account, reason } of items) {
    if (refused !== null) continue
    const share = shares.get(account.id)
    if (share === undefined) shares.set(account.id, { account: account.email, items: 1, reason })
    else share.items += 1
  }
  return [...shares.values()]
}

/** The step before a domain can be added, such as its purchase. */
export interface Before {
  readonly kind: OperationKindName
  /** Shared by all items and stored with the operation. */
  readonly input: object
  /** Called once the actor is known to have permission to add the domains. Returns the unavailable names with the reason. */
  refuse(names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** What an available name adds to its plan; `calls` at its registrar, `called` for other providers. */
  of(name: string): {
    readonly after: object
    readonly work: object
    readonly dangers: readonly string[]
    readonly calls: number
    readonly called: readonly Called[]
  }
}
const nothingBefore: Before = {
  kind: 'create',
  input: {},
  refuse: () => Promise.resolve(new Map()),
  of: () => ({ after: {}, work: {}, dangers: [], calls: 0, called: [] }),
}

type Accounts = ReadonlyMap<string, Dealt['account']>

/**
 * Resolves every object that the lines name; all must have one owner.
 * @throws AppError not_found if an object does not exist or belongs to another user
 */
async function findNamed(ctx: Ctx, input: CreateInput, lines: readonly Line[], order: readonly string[]) {
  const wanted = new Set([...order, ...lines.flatMap(({ accountId }) => accountId ?? [])])
  const accounts: Accounts = new Map((await getAccountCapacities(ctx, [...wanted])).map((account) => [account.id, account]))
  const [ownerId, ...others] = new Set([...accounts.values()].map((account) => account.ownerId))
  if (ownerId === undefined || others.length > 0 || accounts.size !== wanted.size) throw new AppError('not_found')
  for (const { id } of accounts.values()) await requireLevel(ctx, { ownerId, accountId: id }, 'manage')
  const groupIds = new Set(lines.flatMap(({ groupId }) => groupId ?? []))
  for (const groupId of groupIds) await requireLevel(ctx, { ownerId, groupId }, 'manage')
  if ((await listGroups(ctx.db.orm, ownerId, [...groupIds])).size !== groupIds.size) throw new AppError('not_found')

  const registrarIds = new Set(lines.flatMap(({ registrarId }) => registrarId ?? []))
  const registrars = new Map(await Promise.all([...registrarIds].map(async (id) => [id, await getAttachable(ctx, id, ownerId)] as const)))

  const profile =
    input.profileId === null
      ? null
      : await (input.profileId === undefined ? getDefaultProfile(ctx, ownerId) : getProfile(ctx, input.profileId))
  if (profile !== null && profile.ownerId !== ownerId) throw new AppError('not_found')
  return { ownerId, accounts, registrars, profile: profile && profileOfNew(input, profile) }
}
type Named = Awaited<ReturnType<typeof findNamed>>

const firstRecords = ({ name, ipAddress }: Line, { createWww, enableProxy: proxied }: CreateInput) =>
  ipAddress === null
    ? []
    : [
        { type: isIPv4(ipAddress) ? 'A' : 'AAAA', name, content: ipAddress, proxied },
        ...(createWww ? [{ type: 'CNAME', name: `www.${name}`, content: name, proxied }] : []),
      ]

/** Common input for the plan of every line. */
interface PlanBasis extends Pick<Named, 'registrars' | 'profile'> {
  readonly input: CreateInput
  readonly before: Before
  /** Current name servers of the names whose delegation the panel will change. */
  readonly servedNow: ReadonlyMap<string, readonly string[] | null>
  readonly trackerAddresses: ReadonlySet<string> | undefined
}

function planLine(line: Line, { reason, round }: Pick<Dealt, 'reason' | 'round'>, basis: PlanBasis): PlannedItem {
  const { input, before, registrars, profile, servedNow, trackerAddresses } = basis
  const { name, ipAddress, groupId, registrarId } = line
  const registrar = registrars.get(registrarId ?? '')
  const own = before.of(name)
  const callsForProfile =
    profile === null ? 0 : Object.keys(profile.settings).length * 2 + Math.min(1, profile.records.length) + callsForNewZone(profile.rules)
  const work: CreateWork = { ...own.work, ipAddress, groupId, registrarId, named: reason === 'named', later: round > 0 }
  return {
    before: null,
    after: {
      settings: { ...firstSettings(input), ...profile?.settings },
      records: firstRecords(line, input),
      ...(registrar === undefined ? {} : { registrar: registrar.name }),
      ...(servedNow.has(name) ? { nameServers: { now: servedNow.get(name) ?? null } } : {}),
      ...own.after,
    },
    dangers: [
      ...own.dangers,
      ...(isAtCloudflare(servedNow.get(name)) ? ['live_in_other_account'] : []),
      ...(input.enableProxy || ipAddress === null
        ? []
        : [trackerAddresses?.has(ipAddress) === true ? 'tracker_exposed' : 'origin_exposed']),
    ],
    calls: callsForZone + callsForProfile + (ipAddress === null ? 0 : 1),
    reason,
    work,
    called:
      registrar !== undefined && hasApi(registrar)
        ? [atRegistrar({ ...registrar, provider: registrar.provider, calls: own.calls + callsForNameServers }), ...own.called]
        : own.called,
  }
}

/**
 * Plans the addition of these domains and their accounts as a draft; sends nothing.
 * @throws AppError not_found for an account, group or profile that does not exist or belongs to another user, too_many_attempts
 */
export async function previewCreate(ctx: Ctx, input: CreateInput, before: Before = nothingBefore): Promise<OperationPreview> {
  await boundDrafts(ctx)
  const order = [...new Set(input.accountIds)]
  const read = await readLines(ctx, input)
  const named = await findNamed(ctx, input, read, order)
  const { ownerId, accounts, profile } = named

  const refusals = await before.refuse(read.flatMap(({ name, refused }) => (refused === null ? [name] : [])))
  const lines = read.map((line) => (line.refused === null ? { ...line, refused: refusals.get(line.name) ?? null } : line))
  const dealt = deal(lines, accounts, order, input.spread)
  // A name that is not bought yet has no delegation to check.
  const bound =
    before.kind === 'create' ? lines.flatMap((line) => (line.refused === null && line.registrarId !== null ? [line.name] : [])) : []
  const basis: PlanBasis = {
    ...named,
    input,
    before,
    servedNow: await previewServersNow(ctx, bound),
    trackerAddresses: (await listTrackerAddresses(ctx, [ownerId])).get(ownerId),
  }
  const items = lines.map((line, index) => {
    const share = dealt[index]
    if (share === undefined) throw new AppError('internal')
    const plan: PlannedItem = line.refused === null ? planLine(line, share, basis) : { before: null, after: null, dangers: [], calls: 0 }
    return { ...share, ...line, plan }
  })
  const running = items.filter(({ refused }) => refused === null)
  const counted = estimate(
    running.flatMap(({ account, plan, round }) =>
      partsOf({ lane: account.lane, accountEmail: account.email, waitSeconds: round * creationLimit.seconds }, plan),
    ),
    ctx.callBudget,
  )
  const dangers: Record<string, number> = {}
  for (const { plan } of running) for (const danger of plan.dangers) dangers[danger] = (dangers[danger] ?? 0) + 1
  const row = await ctx.db.orm.transaction((tx) =>
    insertOperation(
      tx,
      {
        // As with every operation the owner is the user who starts it, even in accounts of others.
        ownerId: ctx.actor.userId,
        actorId: ctx.actor.userId,
        actorName: ctx.actor.name,
        kind: before.kind,
        input: { ...input, accountIds: order, domains: [], profileId: profile?.id ?? null, ...before.input },
        total: lines.length,
        calls: counted.calls,
        counts: { pending: running.length, skipped: lines.length - running.length },
      },
      items.map(({ account, name, refused, plan }) => ({
        accountId: account.id,
        // An excluded line has no account.
        accountEmail: refused === null ? account.email : '',
        lane: account.lane,
        name,
        plan,
        ...(refused === null ? {} : { state: 'skipped' as const, code: refused }),
      })),
    ),
  )
  return { operation: toOperation(row), unchanged: 0, dangers, ...counted, shares: sharesOf(items) }
}

/** For tools: plans and starts in one call; with `preview` only plans. */
export async function createMany(ctx: Ctx, { preview, ...input }: z.output<typeof bulkCreateRequest>): Promise<z.infer<typeof bulkAnswer>> {
  const plan = await previewCreate(ctx, input)
  if (preview) return { preview: plan, operation: plan.operation }
  return startOperation(ctx, { id: plan.operation.id })
}
