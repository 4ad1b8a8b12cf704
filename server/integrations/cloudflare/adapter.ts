import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'
import type { Sql } from '#server/db/client.ts'
import { createHttpClient } from '#server/integrations/http/http-client.ts'
import { createProviderClients } from '#server/integrations/http/provider-client.ts'
import type { ProviderProfile } from '#server/integrations/http/provider-client.ts'
import { createCallBudget } from '#server/platform/call-budget.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import { createBudgetStore, readBudgetUse, unlimitedStore } from '#server/platform/call-budget.repo.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { CallOptions, Credential, DnsHost, HostConnection, HostedRecord, Identity, RecordInput } from '#server/ports/dns-host.ts'
import { createClient, GoneAlready } from './client.ts'
import type { Client, Envelope } from './client.ts'
import { toPack, toRecord, toSetting, toVerification, toZone } from './from-wire.ts'
import { readRateHeaders } from './rate-headers.ts'
import { readTraffic } from './traffic.ts'
import * as wire from './wire.ts'

export interface CloudflareOptions {
  readonly baseUrl: string
  /** Calls of one Cloudflare user. */
  readonly budget: BudgetLimit
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  /** Calls a second from this server, over all users; null: no limit. Default 200. */
  readonly addressLimitPerSecond?: number | null
  /** Calls at once for one user. Default 16. */
  readonly concurrencyPerUser?: number
  readonly userAgent: string
}

/** Over all users: more would only wait on the wire, and every call that waits there keeps its slot longer. */
const concurrencyPerAddress = 100
const longestAnswerBytes = 64 * 1024 * 1024
const zonesPerPage = 50
const recordsPerPage = 5_000
const accountsPerPage = 50
const packsPerPage = 50

const background = { tries: 4, baseMs: 500, longestMs: 10_000, totalMs: Infinity }
const profile: ProviderProfile = {
  codes: {
    rateLimited: 'provider_rate_limited',
    unavailable: 'provider_unavailable',
    timeout: 'provider_timeout',
    unreadable: 'provider_unreadable',
  },
  retry: { person: { tries: 3, baseMs: 200, longestMs: 1_000, totalMs: 20_000 }, bulk: background, sync: background },
  timeouts: {
    person: { headersTimeoutMs: 15_000, timeoutMs: 30_000 },
    bulk: { headersTimeoutMs: 30_000, timeoutMs: 60_000 },
    sync: { headersTimeoutMs: 30_000, timeoutMs: 60_000 },
  },
  longestBlockMs: 600_000,
  readLimits: readRateHeaders,
}

export function createCloudflare(options: CloudflareOptions): DnsHost {
  const { baseUrl, clock, log } = options
  const store = createBudgetStore(options.sql)
  const holder = randomUUID()
  const perSecond = options.addressLimitPerSecond === undefined ? 200 : options.addressLimitPerSecond
  const addressBudget = createCallBudget({
    key: 'cloudflare:address',
    limit: { limit: perSecond ?? Infinity, windowMs: 1_000 },
    atOnce: concurrencyPerAddress,
    store: perSecond === null ? unlimitedStore : store,
    clock,
    log,
    holder,
  })
  const http = createHttpClient({ userAgent: options.userAgent, maxBytes: longestAnswerBytes })
  const clients = createProviderClients({ http, store, clock, log, holder, profile, shared: [addressBudget] })
  const userIds = new Map<string, string>()

  /** From now on the credential calls out of its user's budget, and what it has called counts there. */
  async function joinUser(print: string, userId: string): Promise<void> {
    userIds.set(print, userId)
    try {
      await clients.mergeBudgets(`cloudflare:credential:${print}`, `cloudflare:user:${userId}`)
    } catch (error) {
      log.warn({ err: error }, 'failed to count the calls of a credential for its user')
    }
  }

  const keyOf = (print: string, userId: string | null): string => {
    const id = userId ?? userIds.get(print)
    return id === undefined ? `cloudflare:credential:${print}` : `cloudflare:user:${id}`
  }

  return {
    connect: (credential, userId) => {
      const print = fingerprint(credential)
      const provider = clients.clientOf({
        name: 'CLOUDFLARE',
        budgetKey: () => keyOf(print, userId),
        secrets: [credential.kind === 'global_key' ? credential.apiKey : credential.token],
        limit: options.budget,
        concurrency: options.concurrencyPerUser ?? 16,
      })
      return connection(createClient(provider, baseUrl, credential, clock), credential, (id) => joinUser(print, id))
    },
    readBudgets: async (callers) => {
      const keys = callers.map(({ credential, userId }) => keyOf(userId === null ? fingerprint(credential()) : '', userId))
      const known = await readBudgetUse(options.sql, keys, options.budget)
      return keys.map((key) => ({ key, ...(known.get(key) ?? { ...options.budget, used: 0, blockedUntil: null }) }))
    },
    close: clients.close,
  }
}

/** Tells credentials apart without telling them. */
function fingerprint(credential: Credential): string {
  const text = credential.kind === 'global_key' ? `${credential.email.toLowerCase()} ${credential.apiKey}` : credential.token
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

function connection(client: Client, credential: Credential, learnUserId: (id: string) => Promise<void>): HostConnection {
  const { call } = client
  const zonePath = (rest: string) => `/zones/{zone}${rest}`

  return {
    identify: async (options) => {
      const identity = await identify(client, credential, options)
      if (identity.userId !== null) await learnUserId(identity.userId)
      return identity
    },

    listZones: async (page, { accountId, name, ...options }) => {
      const { result, info } = await call(
        {
          method: 'GET',
          path: '/zones',
          query: { page, per_page: zonesPerPage, order: 'name', direction: 'asc', 'account.id': accountId, name },
          repeat: 'read',
        },
        wire.zones,
        options,
      )
      const totalCount = info?.total_count ?? null
      const full = result.length >= zonesPerPage
      const totalPages = info?.total_pages ?? (totalCount === null ? (full ? page + 1 : page) : Math.ceil(totalCount / zonesPerPage))
      return { zones: result.map(toZone), page, totalPages, totalCount: totalCount ?? (page - 1) * zonesPerPage + result.length }
    },
    getZone: async (zone, options) =>
      toZone((await call({ method: 'GET', path: zonePath(''), ids: { zone }, repeat: 'read' }, wire.zone, options)).result),
    createZone: async ({ name, accountId, type = 'full' }, options) => {
      const body = { name, account: { id: accountId }, type }
      return toZone((await call({ method: 'POST', path: '/zones', body, repeat: 'once', ownLimit: true }, wire.zone, options)).result)
    },
    pauseZone: async (zone, paused, options) =>
      toZone(
        (await call({ method: 'PATCH', path: zonePath(''), ids: { zone }, body: { paused }, repeat: 'idempotent' }, wire.zone, options))
          .result,
      ),
    deleteZone: (zone, options) => remove(client, zonePath(''), { zone }, options),
    checkActivation: async (zone, options) => {
      await call({ method: 'PUT', path: zonePath('/activation_check'), ids: { zone }, repeat: 'once' }, wire.anything, options)
    },

    getSetting: async (zone, setting, options) => {
      const answer = await call(
        { method: 'GET', path: zonePath('/settings/{setting}'), ids: { zone, setting }, repeat: 'read' },
        wire.setting,
        options,
      )
      return toSetting(setting, answer.result)
    },
    editSetting: async (zone, setting, value, options) => {
      const answer = await call(
        { method: 'PATCH', path: zonePath('/settings/{setting}'), ids: { zone, setting }, body: { value }, repeat: 'idempotent' },
        wire.setting,
        options,
      )
      return toSetting(setting, answer.result)
    },

    listRecords: (zone, options) => listRecords(client, zone, options),
    getRecord: async (zone, record, options) => {
      const answer = await call(
        { method: 'GET', path: zonePath('/dns_records/{record}'), ids: { zone, record }, repeat: 'read' },
        wire.record,
        options,
      )
      return toRecord(answer.result)
    },
    createRecord: async (zone, record, options) => {
      const answer = await call(
        { method: 'POST', path: zonePath('/dns_records'), ids: { zone }, body: record, repeat: 'once' },
        wire.record,
        options,
      )
      return toRecord(answer.result)
    },
    editRecord: async (zone, record, change, options) => {
      const answer = await call(
        { method: 'PATCH', path: zonePath('/dns_records/{record}'), ids: { zone, record }, body: change, repeat: 'once' },
        wire.record,
        options,
      )
      return toRecord(answer.result)
    },
    deleteRecord: (zone, record, options) => remove(client, zonePath('/dns_records/{record}'), { zone, record }, options),
    changeRecords: async (zone, batch, options) => {
      const withId = <T extends Partial<RecordInput> & { readonly recordId: string }>({ recordId, ...change }: T) => ({
        id: recordId,
        ...change,
      })
      const body = {
        ...(batch.deletes === undefined ? {} : { deletes: batch.deletes.map(({ recordId }) => ({ id: recordId })) }),
        ...(batch.patches === undefined ? {} : { patches: batch.patches.map(withId) }),
        ...(batch.puts === undefined ? {} : { puts: batch.puts.map(withId) }),
        ...(batch.posts === undefined ? {} : { posts: batch.posts }),
      }
      const { result } = await call(
        { method: 'POST', path: zonePath('/dns_records/batch'), ids: { zone }, body, repeat: 'once' },
        wire.batchResult,
        options,
      )
      return {
        deletes: result.deletes.map(({ id }) => id),
        patches: result.patches.map(toRecord),
        puts: result.puts.map(toRecord),
        posts: result.posts.map(toRecord),
      }
    },
    exportRecords: (zone, options) =>
      client.text({ method: 'GET', path: zonePath('/dns_records/export'), ids: { zone }, repeat: 'read' }, options),
    importRecords: async (zone, file, proxied, options) => {
      const raw = multipart({ file, proxied: String(proxied) })
      const { result } = await call(
        { method: 'POST', path: zonePath('/dns_records/import'), ids: { zone }, raw, repeat: 'once', ownLimit: true },
        wire.importResult,
        options,
      )
      return { added: result.recs_added ?? 0, parsed: result.total_records_parsed ?? 0 }
    },
    recordUsage: async (zone, options) => {
      const { result } = await call(
        { method: 'GET', path: zonePath('/dns_records/usage'), ids: { zone }, repeat: 'read' },
        wire.usage,
        options,
      )
      return { quota: result.record_quota ?? null, used: result.record_usage ?? 0 }
    },

    getUniversalSsl: async (zone, options) => {
      const path = zonePath('/ssl/universal/settings')
      return (await call({ method: 'GET', path, ids: { zone }, repeat: 'read' }, wire.universalSsl, options)).result.enabled
    },
    setUniversalSsl: async (zone, enabled, options) => {
      const path = zonePath('/ssl/universal/settings')
      const answer = await call(
        { method: 'PATCH', path, ids: { zone }, body: { enabled }, repeat: 'idempotent' },
        wire.universalSsl,
        options,
      )
      return answer.result.enabled
    },
    listCertificatePacks: async (zone, options) => {
      const path = zonePath('/ssl/certificate_packs')
      // Without "all" only active packs are listed; with it also those that are deleted, for good.
      const packs = await everyPage(packsPerPage, (page) =>
        call({ method: 'GET', path, ids: { zone }, query: { ...page, status: 'all' }, repeat: 'read' }, wire.certificatePacks, options),
      )
      return packs.filter(({ status }) => status !== 'deleted').map(toPack)
    },
    listVerifications: async (zone, { retry, ...options }) => {
      const path = zonePath('/ssl/verification')
      const query = { retry: retry === true ? 'true' : undefined }
      return (await call({ method: 'GET', path, ids: { zone }, query, repeat: 'read' }, wire.verifications, options)).result.map(
        toVerification,
      )
    },

    purgeCache: async (zone, what, options) => {
      const body = 'everything' in what ? { purge_everything: true } : { files: what.files }
      const path = zonePath('/purge_cache')
      await call({ method: 'POST', path, ids: { zone }, body, repeat: 'once', ownLimit: true }, wire.anything, options)
    },
    countPageRules: async (zone, options) => {
      const path = zonePath('/pagerules')
      return (await call({ method: 'GET', path, ids: { zone }, repeat: 'read' }, wire.pageRules, options)).result.length
    },
    traffic: (zone, range, options) => readTraffic(client, zone, range, options),
  }
}

async function identify(client: Client, credential: Credential, options: CallOptions): Promise<Identity> {
  const getUser = () => client.call({ method: 'GET', path: '/user', repeat: 'read' }, wire.user, options)
  if (credential.kind === 'global_key') {
    const { result } = await getUser()
    return { userId: result.id, email: result.email ?? null, accounts: await listAccounts(client, options) }
  }

  let accounts: Identity['accounts'] | null = null
  try {
    const { result } = await client.call({ method: 'GET', path: '/user/tokens/verify', repeat: 'read' }, wire.tokenState, options)
    requireActive(result.status)
  } catch (error) {
    // What a token that an account owns is told, too; it is verified at its account.
    if (!(error instanceof AppError) || error.provider?.code !== '1000') throw error
    accounts = await listAccounts(client, options)
    await verifyAtAccounts(client, accounts, error, options)
    return { userId: null, email: null, accounts }
  }
  const found = await permitted(getUser())
  return {
    userId: found?.result.id ?? null,
    email: found?.result.email ?? null,
    accounts: accounts ?? (await listAccounts(client, options)),
  }
}

async function verifyAtAccounts(client: Client, accounts: Identity['accounts'], refused: AppError, options: CallOptions): Promise<void> {
  for (const { id } of accounts) {
    const call = { method: 'GET', path: '/accounts/{account}/tokens/verify', ids: { account: id }, repeat: 'read' } as const
    const found = await permitted(client.call(call, wire.tokenState, options))
    if (found === null) continue
    requireActive(found.result.status)
    return
  }
  throw new AppError('provider_auth', { ...(refused.provider === undefined ? {} : { provider: refused.provider }), cause: refused })
}

function requireActive(status: string | null | undefined): void {
  if (status === null || status === undefined || status === 'active') return
  throw new AppError('provider_auth', { provider: { message: `This API Token is ${status}` } })
}

/** Null: there is nothing to read. */
type ReadPage<T> = (query: { readonly page: number; readonly per_page: number }) => Promise<Envelope<readonly T[]> | null>

async function everyPage<T>(perPage: number, read: ReadPage<T>): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page += 1) {
    const found = await read({ page, per_page: perPage })
    if (found === null) return all
    all.push(...found.result)
    const pages = found.info?.total_pages ?? null
    if (pages === null ? found.result.length < perPage : page >= pages) return all
  }
}

/** All accounts that the credential may see; none where it may not list them. */
async function listAccounts(client: Client, options: CallOptions): Promise<Identity['accounts']> {
  const accounts = await everyPage(accountsPerPage, (query) =>
    permitted(client.call({ method: 'GET', path: '/accounts', query, repeat: 'read' }, wire.accounts, options)),
  )
  return accounts.map(({ id, name }) => ({ id, name: name ?? '' }))
}

/** Null where the credential may not ask. */
async function permitted<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (
      error instanceof AppError &&
      ['provider_auth', 'provider_forbidden', 'provider_rejected', 'provider_not_found'].includes(error.code)
    )
      return null
    throw error
  }
}

async function listRecords(client: Client, zone: string, options: CallOptions): Promise<readonly HostedRecord[]> {
  const records = await everyPage(recordsPerPage, (query) =>
    client.call({ method: 'GET', path: '/zones/{zone}/dns_records', ids: { zone }, query, repeat: 'read' }, wire.records, options),
  )
  return records.map(toRecord)
}

async function remove(client: Client, path: string, ids: Readonly<Record<string, string>>, options: CallOptions): Promise<void> {
  try {
    await client.call({ method: 'DELETE', path, ids, repeat: 'idempotent' }, wire.anything, options)
  } catch (error) {
    if (!(error instanceof GoneAlready)) throw error
  }
}

function multipart(fields: { readonly file: string; readonly proxied: string }): { readonly contentType: string; readonly text: string } {
  const boundary = `zonedeck-${randomUUID()}`
  const text = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="records.txt"',
    'Content-Type: text/plain',
    '',
    fields.file,
    `--${boundary}`,
    'Content-Disposition: form-data; name="proxied"',
    '',
    fields.proxied,
    `--${boundary}--`,
    '',
  ].join('\r\n')
  return { contentType: `multipart/form-data; boundary=${boundary}`, text }
}
