import { DASHBOARD } from '#server/simulators/cloudflare/audit-log.ts'
import type { AuditLog } from '#server/simulators/cloudflare/audit-log.ts'
import type { SimAccount, SimZone } from '#server/simulators/cloudflare/model.ts'

const minuteMs = 60_000

/** What a script with a token of its own and a person without a name in the log did. */
const script = { type: 'account', context: 'api_token', token_id: 'a1', token_name: 'deploy', ip_address: '203.0.113.24' } as const
const contractor = { ...DASHBOARD, email: 'contractor@example.net', ip_address: '198.51.100.93' }

interface Logged {
  readonly minutes: number
  readonly by: typeof DASHBOARD
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly product: string
  readonly subject: string
}

const changes: readonly Logged[] = [
  { minutes: 14, by: contractor, method: 'POST', path: '/tokens', product: 'tokens', subject: 'temporary access' },
  { minutes: 16, by: contractor, method: 'PATCH', path: '/dnssec', product: 'dnssec', subject: 'dnssec' },
  { minutes: 55, by: DASHBOARD, method: 'PATCH', path: '/settings/ssl', product: 'settings', subject: 'ssl' },
  { minutes: 56, by: DASHBOARD, method: 'PATCH', path: '/settings/min_tls_version', product: 'settings', subject: 'min_tls_version' },
  { minutes: 130, by: script, method: 'POST', path: '/dns_records', product: 'dns_records', subject: 'promo' },
  { minutes: 131, by: script, method: 'POST', path: '/dns_records', product: 'dns_records', subject: 'landing' },
  {
    minutes: 190,
    by: DASHBOARD,
    method: 'PUT',
    path: '/rulesets/phases/http_request_firewall_custom/entrypoint',
    product: 'rulesets',
    subject: 'waf',
  },
  { minutes: 400, by: DASHBOARD, method: 'POST', path: '/members', product: 'members', subject: 'contractor@example.net' },
]
/** Parts of the account instead of a domain. */
const ofAccount = new Set(['tokens', 'members'])

/** Adds changes of the last hours by others to the audit log; only the log has them. */
export function logDemoChanges(log: AuditLog, account: SimAccount, zones: readonly SimZone[], nowMs: number): void {
  changes.forEach(({ minutes, by, method, path, product, subject }, index) => {
    const zone = ofAccount.has(product) ? null : (zones[index % zones.length] ?? null)
    const start = zone === null ? `/accounts/${account.id}` : `/zones/${zone.id}`
    log.add(
      account,
      {
        action: { type: { POST: 'create', PATCH: 'update', PUT: 'update', DELETE: 'delete' }[method], result: 'success' },
        actor: by,
        raw: { method, uri: `/client/v4${start}${path}` },
        resource: {
          product,
          request: {
            name: product === 'dns_records' ? `${subject}.${zone?.name ?? ''}` : subject,
            ...(product === 'dnssec' ? { status: 'disabled' } : {}),
          },
        },
        ...(zone === null ? {} : { zone: { id: zone.id, name: zone.name } }),
      },
      { timeMs: nowMs - minutes * minuteMs },
    )
  })
}
