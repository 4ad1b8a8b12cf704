import { createHash, randomUUID } from 'node:crypto'
import type { Sql } from '#server/db/client.ts'
import { createHttpClient } from '#server/integrations/http/http-client.ts'
import { createProviderClients } from '#server/integrations/http/provider-client.ts'
import type { ProviderProfile } from '#server/integrations/http/provider-client.ts'
import { createCallBudget } from '#server/platform/call-budget.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import { createBudgetStore, readBudgetUse, unlimitedStore } from '#server/platform/call-budget.repo.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { CallOptions, CertificateCalls, Credential, DnsHost, HostConnection, RecordCalls, ZoneCalls } from '#server/ports/dns-host.ts'
import { createClient, everyPage, GoneAlready } from './client.ts'
import type { Client } from './client.ts'
import { abuseCalls } from './abuse-reports.ts'
import { toPack, toRecord, toSetting, toVerification, toZone } from './from-wire.ts'
import { changeCalls } from './changes.ts'
import { identify } from './identify.ts'
import { readRateHeaders } from './rate-headers.ts'
import { botSettings } from './bots.ts'
import { dnssecSetting } from './dnssec.ts'
import { ipAccessCalls } from './ip-access.ts'
import { universalSsl } from './own-endpoint.ts'
import type { OwnEndpoint } from './own-endpoint.ts'
import { redirectCalls } from './redirects.ts'
import { originCertificateCalls } from './origin-certificates.ts'
import { rulesetCalls } from './rulesets.ts'
import { readTraffic } from './traffic.ts'
import * as wire from './wire.ts'

export interface CloudflareOptions {
  readonly baseUrl: string
  /** Calls of one Cloudflare user. */
  readonly budget: BudgetLimit
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  /** Calls per second from this server, for all users together; null: no limit. Default 200. */
  readonly addressLimitPerSecond?: number | null
  /** Calls concurrently for one user. Default 16. */
  readonly concurrencyPerUser?: number
  readonly userAgent: string
  /** Sent with the user agent, so that the panel recognizes its own changes in audit logs. Without it no change is its own. */
  readonly installation?: string
}

/** For all users together: more would only wait for the network, each holding a call of the budget longer. */
const concurrencyPerAddress = 100
const longestAnswerBytes = 64 * 1024 * 1024
const zonesPerPage = 50
const recordsPerPage = 5_000
const packsPerPage = 50

const background = { tries: 4, baseMs: 500, longestMs: 10_000, totalMs: Infinity }
const profile: ProviderProfile = {
  family: 'provider',
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
  const mark = options.installation === undefined ? null : `(${options.installation})`
  const perSecond = options.addressLimitPerSecond === undefined ? 200 : options.addressLimitPerSecond
  const addressBudget = createCallBudget({
    key: 'cloudflare:address',
    limit: { limit: perSecond ?? Infinity, windowMs: 1_000 },
    maxConcurrent: concurrencyPerAddress,
    store: perSecond === null ? unlimitedStore : createBudgetStore(options.sql),
    clock,
    log,
    holder: randomUUID(),
  })
  const http = createHttpClient({
    userAgent: mark === null ? options.userAgent : `${options.userAgent} ${mark}`,
    maxBytes: longestAnswerBytes,
  })
  const clients = createProviderClients({ http, sql: options.sql, clock, log, profile, shared: [addressBudget] })
  const userIds = new Map<string, string>()

  /** From now on the credential uses its user's budget, and its previous calls count there. */
  async function joinUser(print: string, userId: string): Promise<void> {
    userIds.set(print, userId)
    try {
      await clients.mergeBudgets(`cloudflare:credential:${print}`, `cloudflare:user:${userId}`)
    } catch (error) {
      log.warn({ err: error }, 'failed to record the calls of a credential for its user')
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
      return connection(createClient(provider, baseUrl, credential, clock), credential, mark, (id) => joinUser(print, id))
    },
    readBudgets: async (callers) => {
      const keys = callers.map(({ credential, userId }) => keyOf(userId === null ? fingerprint(credential()) : '', userId))
      const known = await readBudgetUse(options.sql, keys, options.budget)
      return keys.map((key) => ({ key, ...(known.get(key) ?? { ...options.budget, used: 0, blockedUntil: null }) }))
    },
    close: clients.close,
  }
}

/** Distinguishes credentials without revealing them. */
function fingerprint(credential: Credential): string {
  const text = credential.kind === 'global_key' ? `${credential.email.toLowerCase()} ${credential.apiKey}` : credential.token
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

function connection(
  client: Client,
  credential: Credential,
  mark: string | null,
  learnUserId: (id: string) => Promise<void>,
): HostConnection {
  return {
    identify: async (options) => {
      const identity = await identify(client, credential, options)
      if (identity.userId !== null) await learnUserId(identity.userId)
      return identity
    },
    traffic: (zones, range, options) => readTraffic(client, zones, range, options),
    ...zoneCalls(client),
    ...recordCalls(client),
    ...certificateCalls(client),
    ...originCertificateCalls(client),
    ...rulesetCalls(client),
    ...redirectCalls(client),
    ...ipAccessCalls(client),
    ...changeCalls(client, mark),
    ...abuseCalls(client),
  }
}

const ofZone = '/zones/{zone}'
const ofSetting = `${ofZone}/settings/{setting}`
const ofRecords = `${ofZone}/dns_records`
const ofRecord = `${ofRecords}/{record}`

function zoneCalls(client: Client): ZoneCalls {
  const { call, read, result } = client
  const bots = botSettings(client)
  const endpoints: readonly OwnEndpoint[] = [universalSsl(client), bots, dnssecSetting(client)]
  const endpointOf = (setting: string) => endpoints.find(({ settings }) => settings.includes(setting))
  return {
    listZones: async (page, { accountId, name, ...options }) => {
      const query = { page, per_page: zonesPerPage, order: 'name', direction: 'asc', 'account.id': accountId, name }
      const { result: zones, info } = await call({ method: 'GET', path: '/zones', query, repeat: 'read' }, wire.zones, options)
      const totalCount = info?.total_count ?? null
      const full = zones.length >= zonesPerPage
      const totalPages = info?.total_pages ?? (totalCount === null ? (full ? page + 1 : page) : Math.ceil(totalCount / zonesPerPage))
      return { zones: zones.map(toZone), page, totalPages, totalCount: totalCount ?? (page - 1) * zonesPerPage + zones.length }
    },
    getZone: async (zone, options) => toZone(await read(ofZone, { zone }, wire.zone, options)),
    createZone: async ({ name, accountId, type = 'full' }, options) => {
      const body = { name, account: { id: accountId }, type }
      return toZone(await result({ method: 'POST', path: '/zones', body, repeat: 'once', ownLimit: true }, wire.zone, options))
    },
    pauseZone: async (zone, paused, options) => {
      const target = { method: 'PATCH', path: ofZone, ids: { zone }, body: { paused }, repeat: 'idempotent' } as const
      return toZone(await result(target, wire.zone, options))
    },
    deleteZone: (zone, options) => remove(client, ofZone, { zone }, options),
    checkActivation: async (zone, options) => {
      await call({ method: 'PUT', path: `${ofZone}/activation_check`, ids: { zone }, repeat: 'once' }, wire.anything, options)
    },
    getSetting: async (zone, setting, options) =>
      endpointOf(setting)?.get(zone, setting, options) ??
      toSetting(setting, await read(ofSetting, { zone, setting }, wire.setting, options)),
    listBotSettings: bots.list,
    editSetting: async (zone, setting, value, options) => {
      const own = endpointOf(setting)
      if (own !== undefined) return own.edit(zone, setting, value, options)
      const target = { method: 'PATCH', path: ofSetting, ids: { zone, setting }, body: { value }, repeat: 'idempotent' } as const
      return toSetting(setting, await result(target, wire.setting, options))
    },
    purgeCache: async (zone, what, options) => {
      const body = 'everything' in what ? { purge_everything: true } : { files: what.files }
      const path = `${ofZone}/purge_cache`
      await call({ method: 'POST', path, ids: { zone }, body, repeat: 'once', ownLimit: true }, wire.anything, options)
    },
  }
}

function recordCalls(client: Client): RecordCalls {
  const { read, result } = client
  return {
    listRecords: async (zone, options) => {
      const records = await everyPage(recordsPerPage, (query) =>
        client.call({ method: 'GET', path: ofRecords, ids: { zone }, query, repeat: 'read' }, wire.records, options),
      )
      return records.map(toRecord)
    },
    getRecord: async (zone, record, options) => toRecord(await read(ofRecord, { zone, record }, wire.record, options)),
    createRecord: async (zone, record, options) =>
      toRecord(await result({ method: 'POST', path: ofRecords, ids: { zone }, body: record, repeat: 'once' }, wire.record, options)),
    editRecord: async (zone, record, change, options) =>
      toRecord(
        await result({ method: 'PATCH', path: ofRecord, ids: { zone, record }, body: change, repeat: 'once' }, wire.record, options),
      ),
    deleteRecord: (zone, record, options) => remove(client, ofRecord, { zone, record }, options),
    changeRecords: async (zone, { deletes, patches, puts, posts }, options) => {
      const withId = <T extends { readonly recordId: string }>({ recordId, ...change }: T) => ({ id: recordId, ...change })
      const body = {
        deletes: deletes?.map(({ recordId }) => ({ id: recordId })),
        patches: patches?.map(withId),
        puts: puts?.map(withId),
        posts,
      }
      const target = { method: 'POST', path: `${ofRecords}/batch`, ids: { zone }, body, repeat: 'once' } as const
      const done = await result(target, wire.batchResult, options)
      return {
        deletes: done.deletes.map(({ id }) => id),
        patches: done.patches.map(toRecord),
        puts: done.puts.map(toRecord),
        posts: done.posts.map(toRecord),
      }
    },
    exportRecords: (zone, options) => client.text({ method: 'GET', path: `${ofRecords}/export`, ids: { zone }, repeat: 'read' }, options),
    importRecords: async (zone, file, proxied, options) => {
      const raw = multipart({ file, proxied: String(proxied) })
      const target = { method: 'POST', path: `${ofRecords}/import`, ids: { zone }, raw, repeat: 'once', ownLimit: true } as const
      const { recs_added: added, total_records_parsed: parsed } = await result(target, wire.importResult, options)
      return { added: added ?? 0, parsed: parsed ?? 0 }
    },
    recordUsage: async (zone, options) => {
      const { record_quota: quota, record_usage: used } = await read(`${ofRecords}/usage`, { zone }, wire.usage, options)
      return { quota: quota ?? null, used: used ?? 0 }
    },
  }
}

function certificateCalls({ call, read }: Client): Pick<CertificateCalls, 'listCertificatePacks' | 'listVerifications'> {
  const packs = `${ofZone}/ssl/certificate_packs`
  return {
    listCertificatePacks: async (zone, options) => {
      // Without "all" only active packs are listed; with it also permanently deleted ones.
      const all = await everyPage(packsPerPage, (page) =>
        call(
          { method: 'GET', path: packs, ids: { zone }, query: { ...page, status: 'all' }, repeat: 'read' },
          wire.certificatePacks,
          options,
        ),
      )
      return all.filter(({ status }) => status !== 'deleted').map(toPack)
    },
    listVerifications: async (zone, { retry, ...options }) => {
      const query = { retry: retry === true ? 'true' : undefined }
      return (await read(`${ofZone}/ssl/verification`, { zone }, wire.verifications, options, query)).map(toVerification)
    },
  }
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
