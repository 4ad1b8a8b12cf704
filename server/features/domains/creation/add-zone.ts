import { isIPv4 } from 'node:net'
import { applyProfile, getDefaultProfile, getProfile } from '#server/features/profiles/index.ts'
import { applyRecordChanges } from '../records/apply-changes.ts'
import { listMirror } from '../records/records.repo.ts'
import { attachToRegistrar, findUsableHolder, getAttachable, setNameServers } from '#server/features/registrars/index.ts'
import { connectAccount, findAccount, refreshPart, writeZone } from '#server/features/sync/index.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { openZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { applySettings } from '../settings/apply-settings.ts'
import { setGroup } from '../settings/set-group.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import { WriteRefused } from '#server/platform/write-fence.ts'
import type { CallOptions, HostConnection, HostedZone } from '#server/ports/dns-host.ts'
import { findLevel, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { CreateZoneInput } from '#shared/features/domains/creation/schema.ts'
import { refusalOf } from './creation-refusal.policy.ts'
import { findDomainId, hasGroup, isCreationLogged, listByName, pickProviderAccount } from './zone-creation.repo.ts'
import { firstSettings, profileOfNew } from './first-settings.policy.ts'
import type { Account } from '#server/features/sync/index.ts'

/** The settings of a new zone; without an address no records are created. */
type NewZone = Omit<CreateZoneInput, 'ipAddress'> & { readonly ipAddress: string | null }
interface AddOptions extends CallOptions, HistoryOptions {
  /** Accounts in which an earlier attempt may have created it. */
  readonly orIn?: readonly string[]
  /** Called once the zone exists, before anything else is changed. */
  readonly onThere?: (zone: OpenZone) => Promise<void>
}
type CreationPart = 'records' | 'settings' | 'group' | 'profile' | 'registrar' | 'name_servers'
interface AddedZone {
  readonly zone: OpenZone
  /** Whether the zone's name servers were set at its registrar. */
  readonly serversSet: boolean
  /** Parts that failed after the zone was created. Adding the domain again completes them. */
  readonly problems: readonly { readonly part: CreationPart; readonly error: AppError }[]
}

/** Provider codes for a record that already exists. */
const recordIsThere = new Set(['81053', '81057', '81058'])
/** An existing zone counts as an earlier attempt of the panel if it is younger than this. */
const earlierTryMs = 24 * 3_600_000

/** The provider account for a new zone, of those that the credential can access: its own one, never a colleague's. */
async function providerAccountOf(ctx: Ctx, account: Account, connection: HostConnection, call: CallOptions): Promise<string> {
  const [only, ...others] = account.providerAccountIds
  if (only !== undefined && others.length === 0) return only
  const { accounts } = await connection.identify(call)
  const named = accounts.find(({ name }) => name.toLowerCase().includes(account.email.toLowerCase()))
  const own =
    named?.id ??
    (await pickProviderAccount(
      ctx.db.orm,
      account,
      accounts.map(({ id }) => id),
    ))
  if (own === null) throw new AppError('provider_forbidden')
  return own
}

const isRecent = (ctx: Ctx, createdAt: Date | null) => ctx.clock.now() - (createdAt?.getTime() ?? 0) <= earlierTryMs

/** Creates the zone, or finds the one from an earlier attempt, even if its answer was lost or no new call may be sent. */
async function createAtProvider(
  ctx: Ctx,
  connection: HostConnection,
  name: string,
  accountId: string,
  call: CallOptions,
): Promise<HostedZone> {
  let refusal: AppError | WriteRefused
  try {
    return await connection.createZone({ name, accountId }, call)
  } catch (error) {
    if (error instanceof WriteRefused) refusal = error
    else if (!(error instanceof AppError)) throw error
    else {
      const meant = refusalOf(error, call.priority)
      if (meant.code !== 'zone_exists' && !error.isUnclear) throw meant
      refusal = meant
    }
  }
  const { zones } = await connection.listZones(1, { ...call, accountId, name })
  const there = zones.find((zone) => zone.name === name && zone.account.id === accountId)
  if (there === undefined) throw refusal
  if (isRecent(ctx, there.createdAt)) return there
  throw refusal instanceof AppError && refusal.code !== 'zone_exists' ? new AppError('zone_exists') : refusal
}

/** Creates the zone at the provider and in the panel; returns the panel's id. */
async function make(ctx: Ctx, account: Account, name: string, source: AddOptions['source'], call: CallOptions): Promise<string> {
  const connection = connectAccount(ctx, account)
  const providerAccountId = await providerAccountOf(ctx, account, connection, call)
  const hosted = await createAtProvider(ctx, connection, name, providerAccountId, call)
  const written = await writeZone(ctx, account.id, hosted)
  const id = written ? await findDomainId(ctx.db.orm, account.ownerId, hosted.providerZoneId) : null
  if (id === null) throw new AppError('not_found')
  await logCreation(ctx, account, id, name, source)
  return id
}

async function logCreation(ctx: Ctx, { id: accountId, ownerId, email }: Account, id: string, name: string, source: AddOptions['source']) {
  await ctx.db.orm.transaction(async (tx) => {
    const entity = { entityType: 'zone', entityId: id, entityName: name, ownerId } as const
    await audit(tx, ctx, { ...entity, action: 'create', details: { account: email, source } })
    await ctx.events.publish(tx, ownerId, ['domains', 'accounts'], [accountId])
  })
}

/** Adds the missing addresses; existing records of a name are not changed. */
async function addRecords(ctx: Ctx, given: OpenZone, input: NewZone & { readonly ipAddress: string }, options: AddOptions): Promise<void> {
  if (given.recordsReadAt === null) await refreshPart(ctx, given, 'records', options)
  const zone = await openZone(ctx, given.id)
  const { enableProxy: proxied, ipAddress, createWww } = input
  const type = isIPv4(ipAddress) ? 'A' : 'AAAA'
  const www = `www.${zone.name}`
  for (let again = false; ; again = true) {
    const { records } = await listMirror(ctx.db.orm, zone.id)
    const free = (name: string) => !records.some((record) => record.name === name && ['A', 'AAAA', 'CNAME'].includes(record.type))
    const creates = [
      ...(free(zone.name) ? [{ record: { type, name: zone.name, content: ipAddress, ttl: 1, proxied } as const }] : []),
      ...(createWww && free(www) ? [{ record: { type: 'CNAME', name: www, content: zone.name, ttl: 1, proxied } as const }] : []),
    ]
    if (creates.length === 0) return
    const { error } = await applyRecordChanges(ctx, zone, { creates }, options)
    if (error === null) return
    // An earlier attempt ended before writing it down; the mirror has been read again since.
    if (again || !recordIsThere.has(error.provider?.code ?? '')) throw error
  }
}

/**
 * Adds a domain to an account: the zone, its addresses, SSL mode, Always Use HTTPS, group, profile, and its name servers at an API
 * registrar. Safe to call again: the result of an earlier attempt is completed.
 * @throws AppError not_found (account, group or registrar), zone_exists, and refusals by the provider, in which case no zone was created
 */
export async function addZone(ctx: Ctx, input: NewZone, options: AddOptions): Promise<AddedZone> {
  const account = await findAccount(ctx.db.orm, input.accountId)
  if (account === null) throw new AppError('not_found')
  await requireLevel(ctx, { ownerId: account.ownerId, accountId: account.id }, 'manage')
  const { groupId = null, registrarId = null, domainName: name } = input
  const registrar = registrarId === null ? null : await getAttachable(ctx, registrarId, account.ownerId)
  if (groupId !== null && !(await hasGroup(ctx.db.orm, account.ownerId, groupId))) throw new AppError('not_found')
  if (groupId !== null) await requireLevel(ctx, { ownerId: account.ownerId, groupId }, 'manage')
  return serializeZoneChanges(`${account.ownerId} ${name}`, async () => {
    const call: CallOptions = { priority: options.priority, ...(options.signal === undefined ? {} : { signal: options.signal }) }
    const there = await listByName(ctx.db.orm, account.ownerId, name)
    const own = there.find(
      ({ accountId, createdAt }) => [account.id, ...(options.orIn ?? [])].includes(accountId) && isRecent(ctx, createdAt),
    )
    if (own === undefined && there[0] !== undefined) {
      const { accountId, accountEmail } = there[0]
      // An actor who manages one account of an owner may not see the others.
      const seen = (await findLevel(ctx, { ownerId: account.ownerId, accountId })) !== null
      throw new AppError('zone_exists', seen ? { params: { account: accountEmail } } : {})
    }
    const id = own?.id ?? (await make(ctx, account, name, options.source, call))
    // The process of an earlier attempt may have died after storing the zone but before logging who added it.
    if (own !== undefined && options.source === 'operation' && !(await isCreationLogged(ctx.db.orm, account.ownerId, id))) {
      const maker = own.accountId === account.id ? account : await findAccount(ctx.db.orm, own.accountId)
      await logCreation(ctx, maker ?? account, id, name, options.source)
    }

    const zone = await openZone(ctx, id)
    await options.onThere?.(zone)
    const problems: { part: CreationPart; error: AppError }[] = []
    let serversSet = false
    const step = async (part: CreationPart, work: () => Promise<void>) => {
      try {
        await work()
      } catch (error) {
        if (!(error instanceof AppError) || options.signal?.aborted === true) throw error
        problems.push({ part, error })
      }
    }
    const { ipAddress } = input
    if (ipAddress !== null) await step('records', () => addRecords(ctx, zone, { ...input, ipAddress }, options))
    await step('settings', async () => {
      const { refused } = await applySettings(ctx, zone, firstSettings(input), options)
      if (refused[0] !== undefined) throw refused[0].error
    })
    if (groupId !== null) {
      await step('group', async () => {
        await setGroup(ctx, { id, groupId }, { source: options.source, batchId: options.batchId ?? null })
      })
    }
    await step('profile', async () => {
      const { profileId } = input
      if (profileId === null) return
      const profile = profileId === undefined ? await getDefaultProfile(ctx, account.ownerId) : await getProfile(ctx, profileId)
      if (profile !== null) await applyProfile(ctx, zone.id, profileOfNew(input, profile), options)
    })
    if (registrar !== null) {
      const { source, batchId = null } = options
      await step('registrar', () => attachToRegistrar(ctx, { id, registrarId: registrar.id }, { source, batchId }))
      const attached = !problems.some(({ part }) => part === 'registrar')
      if (attached && registrar.type === 'API_ENABLED')
        await step('name_servers', async () => {
          await setNameServers(ctx, { id }, call)
          serversSet = true
        })
    } else if (own === undefined) {
      // The user did not ask to change the name servers there; that is offered once the registrar is known.
      const holder = await findUsableHolder(ctx, account.ownerId, name)
      const { source, batchId = null } = options
      if (holder !== null) await step('registrar', () => attachToRegistrar(ctx, { id, registrarId: holder }, { source, batchId }))
    }
    return { zone, serversSet, problems }
  })
}
