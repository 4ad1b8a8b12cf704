import type { AuditListResponse } from 'cloudflare/resources/accounts/logs/audit'

import { hash32, hexId } from '../random.ts'
import type { SimAccount, SimZone } from './model.ts'
import { isoTime } from './zone-view.ts'

/** Older entries are dropped, so that a long run does not fill the memory. */
const MOST_ENTRIES = 100_000

export type AuditEntry = {
  readonly id: string
  readonly timeMs: number
  /** When it can be read. */
  readonly visibleMs: number
  readonly view: AuditListResponse
}

export type AuditSettings = {
  /** How late an entry can be read. */
  delayMs: number
  /** The share of entries that never appear. */
  lossShare: number
  /** Entries are listed twice. */
  duplicates: boolean
  /** A page is in no order. */
  shuffled: boolean
  /** Every cursor has expired. */
  cursorsExpired: boolean
}

export type LoggedChange = {
  readonly account: SimAccount
  readonly zone: SimZone | null
  readonly method: string
  readonly uri: string
  readonly actor: AuditListResponse.Actor
  readonly userAgent: string | undefined
  /** The call's body, as far as a test needs it. */
  readonly request?: Readonly<Record<string, unknown>> | undefined
}

const ACTIONS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }
export type AuditLog = ReturnType<typeof createAuditLog>

export function createAuditLog(seed: number, now: () => number) {
  const settings: AuditSettings = { delayMs: 0, lossShare: 0, duplicates: false, shuffled: false, cursorsExpired: false }
  const entriesOf = new Map<string, AuditEntry[]>()
  let serial = 0

  /** Adds an entry as it is; fields may be missing or of unknown kinds, as in Cloudflare's. */
  function add(account: Pick<SimAccount, 'id'>, view: AuditListResponse, { timeMs = now(), delayMs = settings.delayMs } = {}): string {
    serial += 1
    const id = view.id ?? hexId(seed, 950, serial)
    if ((hash32(seed, 951, serial) % 1_000) / 1_000 < settings.lossShare) return id
    const action = { time: isoTime(timeMs), ...view.action }
    const entries = entriesOf.get(account.id) ?? []
    entries.push({ id, timeMs, visibleMs: timeMs + delayMs, view: { id, ...view, action } })
    if (entries.length > MOST_ENTRIES) entries.splice(0, MOST_ENTRIES / 2)
    entriesOf.set(account.id, entries)
    return id
  }

  return {
    settings,
    add,
    /** A change that was accepted, by a caller of the API or in the dashboard. */
    log({ account, zone, method, uri, actor, userAgent, request }: LoggedChange): void {
      const [product, id] = resourceOf(uri)
      add(account, {
        account: { id: account.id, name: account.name },
        action: { description: `${method} ${product}`, result: 'success', type: ACTIONS[method] ?? 'update' },
        actor,
        raw: {
          cf_ray_id: hexId(seed, 952, serial).slice(0, 16),
          method,
          status_code: 200,
          uri,
          ...(userAgent === undefined ? {} : { user_agent: userAgent }),
        },
        resource: {
          ...(id === undefined ? {} : { id }),
          product,
          type: product,
          scope: zone === null ? 'accounts' : 'zones',
          ...(request === undefined ? {} : { request }),
        },
        zone: zone === null ? {} : { id: zone.id, name: zone.name },
      })
    },
    visible: (accountId: string, nowMs: number) => (entriesOf.get(accountId) ?? []).filter((entry) => entry.visibleMs <= nowMs),
  }
}

/** The product and the identifier of `/zones/…/dns_records/…`. */
function resourceOf(uri: string): readonly [product: string, id: string | undefined] {
  const [path = ''] = uri.split('?')
  const [group, owner, product, ...rest] = path.split('/').filter((part) => part !== '' && part !== 'client' && part !== 'v4')
  return product === undefined ? [group ?? 'account', owner] : [product, rest.at(-1)]
}

/** Somebody in Cloudflare's dashboard. */
export const DASHBOARD: AuditListResponse.Actor = {
  id: 'd0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0',
  email: 'colleague@example.com',
  type: 'user',
  context: 'dash',
  ip_address: '198.51.100.7',
}
