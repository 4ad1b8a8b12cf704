import type { ChangeCalls, HostedChange } from '#server/ports/dns-host.ts'
import type { ChangeKind } from '#shared/features/provider-changes/schema.ts'
import type { Client } from './client.ts'
import { instant, textOf } from './from-wire.ts'
import * as wire from './wire.ts'

/** The most that Cloudflare's own client asks for. */
const perPage = 1_000
/** An earlier time is an error, as is one after the window. */
const earliestMs = Date.UTC(2010)

/** The audit log of accounts. `mark` is what the panel's calls have in their user agent. */
export function changeCalls({ call }: Client, mark: string | null): ChangeCalls {
  return {
    listChanges: async (account, { since, before, cursor }, options) => {
      const query = {
        since: since.toISOString(),
        before: before.toISOString(),
        direction: 'asc',
        limit: perPage,
        cursor: cursor ?? undefined,
      }
      const { result, info } = await call(
        { method: 'GET', path: '/accounts/{account}/logs/audit', ids: { account }, query, repeat: 'read' },
        wire.changes,
        options,
      )
      const next = info?.cursor ?? info?.cursors?.after ?? ''
      return {
        changes: result
          .flatMap((entry) => (entry === null ? [] : (toChange(entry, mark) ?? [])))
          .filter(({ changedAt }) => changedAt.getTime() >= earliestMs && changedAt < before),
        // As the official client, which ends at an empty page.
        cursor: result.length === 0 || next === '' || next === cursor ? null : next,
      }
    },
  }
}

/** Null if nothing was changed, or nobody knows when. */
function toChange({ id, action, actor, raw, resource, zone }: wire.WireChange, mark: string | null): HostedChange | null {
  const changedAt = instant(action.time)
  if (changedAt === null || action.type === 'view' || action.result === 'failure') return null
  const path = pathOf(raw?.uri)
  const providerZoneId = textOf(zone?.id) ?? zoneOf(path)
  return {
    changeId: id,
    changedAt,
    kind: kindOf(path, providerZoneId !== null, `${resource?.product ?? ''} ${resource?.type ?? ''}`),
    action: textOf(action.type) ?? 'update',
    actor: {
      type: textOf(actor?.type),
      email: textOf(actor?.email),
      tokenId: textOf(actor?.token_id),
      tokenName: textOf(actor?.token_name),
      via: textOf(actor?.context),
      address: textOf(actor?.ip_address),
    },
    isOwn: mark !== null && raw?.user_agent?.endsWith(mark) === true,
    product: textOf(resource?.product) ?? textOf(resource?.type) ?? path.at(-1) ?? null,
    // Nothing else of the request is kept, because it may contain secrets.
    subject: textOf(resource?.request?.['name']) ?? textOf(resource?.response?.['name']) ?? settingOf(path) ?? textOf(resource?.id),
    zone: providerZoneId === null ? null : { providerZoneId, name: textOf(zone?.name) },
    critical: criticalOf(path, action.type ?? '', resource?.request ?? {}),
    deletions: deletionsOf(path, action.type ?? '', resource?.request ?? {}),
    unproxied: unproxiedOf(path, action.type ?? '', resource?.request ?? {}),
  }
}

type Body = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)
const listIn = (body: Body, key: string): readonly unknown[] => (Array.isArray(body[key]) ? body[key] : [])

/** By the call's path and body, which the API reference defines; entries that lack them are never critical. */
function criticalOf([group, , part, ...rest]: readonly string[], action: string, body: Body): HostedChange['critical'] {
  if (group === 'accounts') {
    if (part === 'tokens' && rest.length === 0 && action === 'create') return 'token_created'
    return part === 'registrar' && listIn(body, 'name_servers').length > 0 ? 'name_servers' : null
  }
  if (group !== 'zones') return null
  if (part === undefined)
    return action === 'delete' ? 'zone_removed' : listIn(body, 'vanity_name_servers').length > 0 ? 'name_servers' : null
  if (part === 'custom_ns') return 'name_servers'
  return part === 'dnssec' && (action === 'delete' || body['status'] === 'disabled') ? 'dnssec_off' : null
}

function deletionsOf([group, , part, recordId]: readonly string[], action: string, body: Body): number {
  if (group !== 'zones' || part !== 'dns_records') return 0
  if (recordId === 'batch') return listIn(body, 'deletes').length
  return action === 'delete' ? 1 : 0
}

function unproxiedOf([group, , part, recordId]: readonly string[], action: string, body: Body): readonly string[] {
  if (group !== 'zones' || part !== 'dns_records' || recordId === undefined || action === 'delete') return []
  if (recordId !== 'batch') return body['proxied'] === false ? [recordId] : []
  return [...listIn(body, 'patches'), ...listIn(body, 'puts')]
    .filter(isRecord)
    .flatMap(({ id, proxied }) => (proxied === false && typeof id === 'string' ? [id] : []))
}

/** The segments from `zones` or `accounts` on: the dashboard's addresses differ from those of the API in what precedes. */
function pathOf(uri: string | null | undefined): readonly string[] {
  const segments =
    (uri ?? '')
      .split('?')[0]
      ?.split('/')
      .filter((segment) => segment !== '') ?? []
  const start = segments.findIndex((segment) => segment === 'zones' || segment === 'accounts')
  return start === -1 ? segments : segments.slice(start)
}

const zoneOf = ([group, id]: readonly string[]) => (group === 'zones' && id !== undefined && /^[0-9a-f]{32}$/.test(id) ? id : null)
const settingOf = ([group, , part, setting]: readonly string[]) => (group === 'zones' && part === 'settings' ? textOf(setting) : null)

const kinds: Readonly<Record<string, ChangeKind>> = {
  dns_records: 'records',
  settings: 'settings',
  bot_management: 'settings',
  dnssec: 'settings',
  rulesets: 'rules',
  pagerules: 'rules',
  activation_check: 'zone',
}

/** The path names the kind; without one, the product does, whose names Cloudflare does not publish. */
function kindOf([group, , part]: readonly string[], isInZone: boolean, product: string): ChangeKind {
  if (group === 'zones') return part === undefined ? 'zone' : (kinds[part] ?? 'other')
  if (!isInZone) return 'account'
  const words = product.toLowerCase().replaceAll(/[^a-z]+/g, '_')
  if (words.includes('dns_record')) return 'records'
  if (words.includes('ruleset') || words.includes('page_rule')) return 'rules'
  if (words.includes('setting')) return 'settings'
  return words.startsWith('zone') ? 'zone' : 'other'
}
