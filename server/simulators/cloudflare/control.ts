import { z } from 'zod'

import type { FaultEffect, Faults } from '../faults.ts'
import type { Journal } from '../journal.ts'
import { addAccessRule } from './access-rules.ts'
import { DASHBOARD } from './audit-log.ts'
import type { SimZone } from './model.ts'
import { draftRecords } from './record-write.ts'
import { bareJson } from './reply.ts'
import type { Reply } from './reply.ts'
import { setList } from './redirect-lists.ts'
import { setRules } from './rulesets.ts'
import type { State } from './state.ts'

const PREFIX = '/__simulator/'

const count = z.number().int().nonnegative()
const effectSchema: z.ZodType<FaultEffect> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rate-limited'), retryAfterSeconds: count.optional() }),
  z.object({
    kind: z.literal('server-error'),
    status: z.number().int().min(500).max(599).optional(),
    body: z.enum(['json', 'html']).optional(),
  }),
  z.object({ kind: z.enum(['forbidden', 'revoked-key', 'success-false', 'reset', 'cut-body', 'malformed-json', 'unknown-fields']) }),
  z.object({ kind: z.literal('timeout-after-write'), holdMs: count.optional() }),
  z.object({ kind: z.literal('short-list'), share: z.number().min(0).max(1) }),
  z.object({ kind: z.literal('slow'), delayMs: count }),
])
const faultSchema = z.strictObject({
  method: z.string().optional(),
  path: z.string().optional(),
  accountId: z.string().optional(),
  userId: z.string().optional(),
  probability: z.number().min(0).max(1).optional(),
  times: count.optional(),
  forMs: count.optional(),
  effect: effectSchema,
})

/** `zone` is an id or a name. */
const editSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('zone'),
    zone: z.string(),
    set: z.strictObject({
      status: z.enum(['initializing', 'pending', 'active', 'moved']).optional(),
      paused: z.boolean().optional(),
      plan: z.enum(['free', 'pro', 'business', 'enterprise']).optional(),
      phishing: z.boolean().optional(),
    }),
  }),
  z.strictObject({ kind: z.literal('activate'), zone: z.string() }),
  z.strictObject({ kind: z.literal('delete-zone'), zone: z.string() }),
  z.strictObject({ kind: z.literal('create-zone'), accountId: z.string(), name: z.string().regex(/^[a-z0-9.-]+$/) }),
  z.strictObject({ kind: z.literal('create-record'), zone: z.string(), record: z.record(z.string(), z.unknown()) }),
  z.strictObject({ kind: z.literal('edit-record'), zone: z.string(), recordId: z.string(), set: z.record(z.string(), z.unknown()) }),
  z.strictObject({ kind: z.literal('delete-record'), zone: z.string(), recordId: z.string() }),
  z.strictObject({ kind: z.literal('setting'), zone: z.string(), setting: z.string(), value: z.unknown() }),
  z.strictObject({
    kind: z.literal('ruleset'),
    zone: z.string(),
    phase: z.string(),
    rules: z.array(z.record(z.string(), z.unknown())).nullable(),
  }),
  z.strictObject({
    kind: z.literal('redirect-list'),
    accountId: z.string(),
    name: z.string(),
    redirects: z.array(z.record(z.string(), z.unknown())),
  }),
  z.strictObject({
    kind: z.literal('access-rule'),
    /** The id of a zone or an account. */
    at: z.string(),
    mode: z.enum(['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge']),
    target: z.enum(['ip', 'ip6', 'ip_range', 'asn', 'country']),
    value: z.string(),
    notes: z.string().default(''),
  }),
  z.strictObject({ kind: z.literal('registrar'), name: z.string(), nameServers: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('registrar-ds'), name: z.string(), present: z.boolean() }),
  z.strictObject({ kind: z.literal('revoke-key'), userId: z.string() }),
])

/** A change made "outside the panel", as in Cloudflare's own dashboard. */
export type Edit = z.infer<typeof editSchema>

type Controlled = { readonly state: State; readonly journal: Journal; readonly faults: Faults; reset(): void }

export function isControl(path: string): boolean {
  return path.startsWith(PREFIX)
}

/** The simulator's control API, for tests in another process. Errors are 400 with a text. */
export function control(target: Controlled, method: string, path: string, rawBody: Buffer): Reply {
  try {
    switch (`${method} ${path.slice(PREFIX.length)}`) {
      case 'GET credentials':
        return bareJson(target.state.world.credentials)
      case 'GET journal':
        return bareJson({ total: target.journal.count(), summary: target.journal.summary(), recent: target.journal.recent() })
      case 'POST faults':
        target.faults.add(faultSchema.parse(jsonOf(rawBody)))
        return bareJson({ ok: true })
      case 'DELETE faults':
        target.faults.clear()
        return bareJson({ ok: true })
      case 'POST reset':
        target.reset()
        return bareJson({ ok: true })
      case 'POST audit-log':
        Object.assign(target.state.auditLog.settings, auditSchema.parse(jsonOf(rawBody)))
        return bareJson({ ok: true })
      case 'POST abuse-reports':
        Object.assign(target.state.abuse.settings, abuseSchema.parse(jsonOf(rawBody)))
        return bareJson({ ok: true })
      case 'POST edit':
        return bareJson({ ok: true, result: applyEdit(target.state, editSchema.parse(jsonOf(rawBody))) })
      default:
        return bareJson({ ok: false, error: 'unknown control' }, 404)
    }
  } catch (error) {
    return bareJson({ ok: false, error: error instanceof Error ? error.message : String(error) }, 400)
  }
}

const auditSchema = z.strictObject({
  delayMs: count.optional(),
  lossShare: z.number().min(0).max(1).optional(),
  duplicates: z.boolean().optional(),
  shuffled: z.boolean().optional(),
  cursorsExpired: z.boolean().optional(),
})

const abuseSchema = auditSchema.pick({ delayMs: true, lossShare: true, duplicates: true })

/** Makes the change and logs it as one of a colleague in the dashboard. Returns the id of the created object, or null. */
export function applyEdit(state: State, edit: Edit): string | null {
  // A zone that is deleted is known before, one that is created after.
  const before = 'zone' in edit ? zoneOf(state, edit.zone) : null
  const id = change(state, edit)
  logEdit(state, edit, before, id)
  return id
}

type Body = Readonly<Record<string, unknown>>

function logEdit(state: State, edit: Edit, before: SimZone | null, id: string | null): void {
  const log = (accountId: string, zone: SimZone | null, method: string, path: string, request?: Body) => {
    const account = state.accountsById.get(accountId)
    const uri = `/client/v4${zone === null ? `/accounts/${accountId}` : `/zones/${zone.id}`}${path}`
    if (account !== undefined) state.auditLog.log({ account, zone, method, uri, actor: DASHBOARD, userAgent: 'Mozilla/5.0', request })
  }
  const ofZone = (zone: SimZone | null, method: string, path: string, request?: Body) => {
    if (zone !== null) log(zone.account.id, zone, method, path, request)
  }
  switch (edit.kind) {
    case 'zone':
    case 'activate':
      return ofZone(before, 'PATCH', '')
    case 'delete-zone':
      return ofZone(before, 'DELETE', '')
    case 'create-zone':
      return ofZone(state.zonesById.get(id ?? '') ?? null, 'POST', '')
    case 'create-record':
      return ofZone(before, 'POST', '/dns_records', edit.record)
    case 'edit-record':
      return ofZone(before, 'PATCH', `/dns_records/${edit.recordId}`, edit.set)
    case 'delete-record':
      return ofZone(before, 'DELETE', `/dns_records/${edit.recordId}`)
    case 'setting':
      return ofZone(before, 'PATCH', `/settings/${edit.setting}`, { value: edit.value })
    case 'ruleset':
      return ofZone(before, 'PUT', `/rulesets/phases/${edit.phase}/entrypoint`)
    case 'redirect-list':
      return log(edit.accountId, null, 'PUT', `/rules/lists/${id}/items`, { name: edit.name })
    case 'access-rule': {
      const zone = state.zonesById.get(edit.at) ?? null
      return log(zone?.account.id ?? edit.at, zone, 'POST', '/firewall/access_rules/rules', { name: edit.value })
    }
    case 'revoke-key':
      for (const accountId of state.usersById.get(edit.userId)?.accountIds ?? []) log(accountId, null, 'PUT', '/user/api_key')
      return
    // Changes at the registrar are not in Cloudflare's log.
    case 'registrar':
    case 'registrar-ds':
  }
}

function change(state: State, edit: Edit): string | null {
  switch (edit.kind) {
    case 'zone': {
      const zone = findZone(state, edit.zone)
      const { status = zone.status, paused = zone.paused, plan = zone.plan, phishing = zone.phishing } = edit.set
      Object.assign(zone, { status, paused, plan, phishing })
      state.touch(zone)
      state.zonesVersion++
      return null
    }
    case 'activate':
      state.activate(findZone(state, edit.zone).id)
      return null
    case 'delete-zone':
      state.removeZone(findZone(state, edit.zone).id)
      return null
    case 'create-zone': {
      const account = state.accountsById.get(edit.accountId)
      if (account === undefined) throw new Error(`no account ${edit.accountId}`)
      return state.createZone(account, edit.name, 'full').id
    }
    case 'create-record':
      return changeRecords(state, edit.zone, (draft) => draft.insert(edit.record).id)
    case 'edit-record':
      return changeRecords(state, edit.zone, (draft) => draft.edit(edit.recordId, edit.set).id)
    case 'delete-record':
      return changeRecords(state, edit.zone, (draft) => draft.remove(edit.recordId).id)
    case 'setting': {
      const zone = findZone(state, edit.zone)
      state.changesOf(zone).settings.set(edit.setting, { value: edit.value, modifiedOnMs: state.now() })
      state.touch(zone)
      return null
    }
    case 'ruleset':
      return setRules(state, findZone(state, edit.zone), edit.phase, edit.rules)
    case 'redirect-list':
      return setList(state, edit.accountId, edit.name, edit.redirects)
    case 'access-rule':
      return addAccessRule(state, edit.at, edit)
    case 'registrar':
      state.registrarNameServers.set(edit.name, edit.nameServers)
      return null
    case 'registrar-ds':
      if (edit.present) state.registrarDs.add(edit.name)
      else state.registrarDs.delete(edit.name)
      return null
    case 'revoke-key':
      state.revokeKey(edit.userId)
      return null
  }
}

function changeRecords(state: State, zoneKey: string, change: (draft: ReturnType<typeof draftRecords>) => string): string {
  const draft = draftRecords(state, findZone(state, zoneKey), state.now())
  const id = change(draft)
  draft.commit()
  return id
}

const zoneOf = (state: State, key: string): SimZone | null => state.zonesById.get(key) ?? state.zonesNamed(key)[0] ?? null

function findZone(state: State, key: string): SimZone {
  const zone = zoneOf(state, key)
  if (zone === null) throw new Error(`no zone ${key}`)
  return zone
}

function jsonOf(rawBody: Buffer): unknown {
  return JSON.parse(rawBody.toString('utf8'))
}
