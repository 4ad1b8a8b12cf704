import type { RulesetListResponse } from 'cloudflare/resources/rulesets/rulesets'

import { isObject } from '../deliver.ts'
import { bodyOf, choiceOf } from './call.ts'
import type { Call, JsonObject } from './call.ts'
import { requirePermission } from './caller.ts'
import type { RulePhase, SimRule, SimRuleset, SimZone } from './model.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import { checkRule, phaseOf, refuseRule, requireQuota, rulePermission } from './rule-check.ts'
import { rulesetsOf, writableRulesets } from './ruleset-world.ts'
import type { State } from './state.ts'
import { isoTime } from './zone-view.ts'

/** Rulesets of Cloudflare that every zone lists; their real ids. */
const MANAGED = [
  { id: '4d21379b4f9f4bb088e0729962c8b3cf', name: 'DDoS L7 ruleset', phase: 'ddos_l7' },
  { id: '77454fe2d30c4220b5701f6fdfb893ba', name: 'Cloudflare Managed Free Ruleset', phase: 'http_request_firewall_managed' },
] as const

/** GET /zones/{zone}/rulesets: without rules, one page after another by cursor. */
export function listRulesets(call: Call, zone: SimZone): Reply {
  const perPage = pageSizeOf(call.query.get('per_page'))
  const start = Number(call.query.get('cursor') ?? 0)
  if (!Number.isInteger(start)) throw refuse(400, 10000, 'invalid cursor')
  const managed = MANAGED.map((ruleset): RulesetListResponse => ({
    ...ruleset,
    description: '',
    kind: 'managed',
    version: '1',
    last_updated: isoTime(zone.createdOnMs),
  }))
  const all = [...managed, ...[...rulesetsOf(call.state, zone).values()].map((ruleset) => headView(ruleset))]
  const end = start + perPage
  const cursor = String(end)
  // The package reads `cursor`, the documentation of the API shows `cursors`.
  return ok(all.slice(start, end), end < all.length ? { cursor, cursors: { after: cursor } } : {})
}

/** POST /zones/{zone}/rulesets: the first ruleset of a phase. */
export function createRuleset(call: Call, zone: SimZone): Reply {
  const body = bodyOf(call)
  const kind = textOf(body, 'kind')
  if (kind !== 'zone') throw refuseRule(20217, `'${kind}' is not a valid value for kind because it is not available for a zone`, '/kind')
  const phase = phaseOf(textOf(body, 'phase'))
  requireEdit(call, phase)
  if (rulesetsOf(call.state, zone).has(phase)) {
    const reason = `exceeded maximum number of zone rulesets for phase ${phase}`
    throw refuseRule(20217, `'zone' is not a valid value for kind because ${reason}`, '/kind')
  }
  return answer(call, zone, replaced(call, zone, phase, null, body))
}

/** GET /zones/{zone}/rulesets/phases/{phase}/entrypoint */
export function getEntryPoint(call: Call, zone: SimZone): Reply {
  return ok(view(entryPoint(call, zone)))
}

/** PUT /zones/{zone}/rulesets/phases/{phase}/entrypoint: replaces every rule of the phase. */
export function replaceEntryPoint(call: Call, zone: SimZone): Reply {
  const phase = phaseOf(call.param)
  requireEdit(call, phase)
  const body = bodyOf(call)
  for (const field of Object.keys(body))
    if (!['description', 'name', 'rules'].includes(field)) throw refuse(400, 10000, `invalid JSON: unknown field "${field}"`)
  return answer(call, zone, replaced(call, zone, phase, rulesetsOf(call.state, zone).get(phase) ?? null, body))
}

export function listEntryPointVersions(call: Call, zone: SimZone): Reply {
  return ok(versionsView(entryPoint(call, zone)))
}

export function getEntryPointVersion(call: Call, zone: SimZone): Reply {
  return ok(versionView(entryPoint(call, zone), call.innerParam))
}

/** GET /zones/{zone}/rulesets/{ruleset} */
export function getRuleset(call: Call, zone: SimZone): Reply {
  return ok(view(rulesetById(call, zone, 'read')))
}

export function replaceRuleset(call: Call, zone: SimZone): Reply {
  const ruleset = rulesetById(call, zone, 'edit')
  return answer(call, zone, replaced(call, zone, ruleset.phase, ruleset, bodyOf(call)))
}

/** DELETE /zones/{zone}/rulesets/{ruleset}: with all versions. */
export function deleteRuleset(call: Call, zone: SimZone): Reply {
  const { phase } = rulesetById(call, zone, 'edit')
  if (!isDryRun(call)) writableRulesets(call.state, zone).delete(phase)
  return { status: 204, body: '', contentType: 'application/json' }
}

export function listVersions(call: Call, zone: SimZone): Reply {
  return ok(versionsView(rulesetById(call, zone, 'read')))
}

export function getVersion(call: Call, zone: SimZone): Reply {
  return ok(versionView(rulesetById(call, zone, 'read'), call.innerParam))
}

/** POST /zones/{zone}/rulesets/{ruleset}/rules */
export function createRule(call: Call, zone: SimZone): Reply {
  const ruleset = rulesetById(call, zone, 'edit')
  const { position, ...fields } = bodyOf(call)
  const rules = rulesOf(ruleset)
  requireQuota(zone, ruleset.phase, rules.length + 1)
  checkRule(zone, ruleset.phase, fields, '')
  const rule = newRule(call.state.nextId(), fields, null, call.nowMs)
  requireOwnRef(rules, rule)
  return answer(call, zone, withRules(ruleset, placed(rules, rule, position ?? { after: '' }), call.nowMs))
}

/** PATCH …/rules/{rule}: a new definition as a whole, a new place, or both. */
export function editRule(call: Call, zone: SimZone): Reply {
  const ruleset = rulesetById(call, zone, 'edit')
  const { position, ...fields } = bodyOf(call)
  const before = ruleById(call, ruleset)
  let rule = before
  if (Object.keys(fields).length > 0 || position === undefined) {
    checkRule(zone, ruleset.phase, fields, '')
    rule = newRule(before.id, fields, before, call.nowMs)
  }
  const rules = rulesOf(ruleset).map((other) => (other.id === rule.id ? rule : other))
  requireOwnRef(rules, rule)
  return answer(call, zone, withRules(ruleset, position === undefined ? rules : placed(rules, rule, position), call.nowMs))
}

export function deleteRule(call: Call, zone: SimZone): Reply {
  const ruleset = rulesetById(call, zone, 'edit')
  const { id } = ruleById(call, ruleset)
  return answer(
    call,
    zone,
    withRules(
      ruleset,
      rulesOf(ruleset).filter((rule) => rule.id !== id),
      call.nowMs,
    ),
  )
}

/** Stores what a person or another program made outside the panel, without checks; no rules: the phase loses its ruleset. */
export function setRules(state: State, zone: SimZone, phaseName: string, rules: readonly JsonObject[] | null): string | null {
  const phase = phaseOf(phaseName)
  const rulesets = writableRulesets(state, zone)
  if (rules === null) {
    rulesets.delete(phase)
    return null
  }
  const before = rulesets.get(phase) ?? newRuleset(state, phase)
  const after = withRules(
    before,
    rules.map((rule) => keptRule(state, before, rule)),
    state.now(),
  )
  rulesets.set(phase, after)
  return after.id
}

/** The changed ruleset, stored unless it was only a check. */
function answer(call: Call, zone: SimZone, ruleset: SimRuleset): Reply {
  if (isDryRun(call)) return ok(null)
  writableRulesets(call.state, zone).set(ruleset.phase, ruleset)
  return ok(view(ruleset))
}

function isDryRun(call: Call): boolean {
  return choiceOf(call.query, 'dry_run', ['true', 'false']) === 'true' && !call.state.ignoresDryRun
}

function replaced(call: Call, zone: SimZone, phase: RulePhase, before: SimRuleset | null, body: JsonObject): SimRuleset {
  const given = body['rules'] ?? []
  if (!Array.isArray(given) || !given.every(isObject)) throw refuse(400, 10000, 'invalid JSON: rules is not a list of rules')
  requireQuota(zone, phase, given.length)
  for (const [index, rule] of given.entries()) checkRule(zone, phase, rule, `/rules/${index}`)
  const ruleset = before ?? newRuleset(call.state, phase)
  const rules = given.map((rule) => keptRule(call.state, ruleset, rule))
  for (const rule of rules) requireOwnRef(rules, rule)
  const texts = { name: textOf(body, 'name', ruleset.name), description: textOf(body, 'description', ruleset.description) }
  return { ...withRules(ruleset, rules, call.nowMs), ...texts }
}

/** A rule that is sent with the id or reference of an existing one is that one. */
function keptRule(state: State, ruleset: SimRuleset, fields: JsonObject): SimRule {
  const before = rulesOf(ruleset).find(({ id, ref }) => id === fields['id'] || ref === fields['ref'])
  return newRule(before?.id ?? state.nextId(), fields, before ?? null, state.now())
}

function newRule(id: string, given: JsonObject, before: SimRule | null, nowMs: number): SimRule {
  const { id: _id, version: _version, last_updated: _updated, categories: _categories, ref, ...rest } = given
  const fields = { description: '', enabled: true, ...rest }
  const next = { id, ref: typeof ref === 'string' && ref !== '' ? ref : id, fields }
  if (before !== null && before.ref === next.ref && isSame(before.fields, fields)) return before
  return { ...next, version: (before?.version ?? 0) + 1, lastUpdatedMs: nowMs }
}

function requireOwnRef(rules: readonly SimRule[], { id, ref }: SimRule): void {
  if (rules.some((other) => other.id !== id && other.ref === ref))
    throw refuseRule(20120, `'${ref}' is not a valid value for ref because it must be unique within the ruleset`, '/ref')
}

/** `rule` at its new place among `rules`, which may contain it. */
function placed(rules: readonly SimRule[], rule: SimRule, position: unknown): SimRule[] {
  const others = rules.filter(({ id }) => id !== rule.id)
  const place = placeOf(others, position)
  return [...others.slice(0, place), rule, ...others.slice(place)]
}

function placeOf(others: readonly SimRule[], position: unknown): number {
  const [entry, ...more] = isObject(position) ? Object.entries(position) : []
  const wrong = () => refuseRule(20120, 'position must have exactly one of before, after and index', '/position')
  if (entry === undefined || more.length > 0) throw wrong()
  const [kind, value] = entry
  if (kind === 'index') {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > others.length + 1)
      throw refuseRule(20120, `'${String(value)}' is not a valid value for index`, '/position/index')
    return value - 1
  }
  if (kind !== 'before' && kind !== 'after') throw wrong()
  if (value === '') return kind === 'before' ? 0 : others.length
  const at = others.findIndex(({ id }) => id === value)
  if (at === -1) throw refuseRule(20120, `could not find rule '${String(value)}' of the position`, `/position/${kind}`)
  return kind === 'before' ? at : at + 1
}

function newRuleset(state: State, phase: RulePhase): SimRuleset {
  return { id: state.nextId(), phase, name: 'default', description: '', versions: [] }
}

function withRules(ruleset: SimRuleset, rules: readonly SimRule[], nowMs: number): SimRuleset {
  const version = (ruleset.versions.at(-1)?.version ?? 0) + 1
  return { ...ruleset, versions: [...ruleset.versions, { version, lastUpdatedMs: nowMs, rules }] }
}

function rulesOf(ruleset: SimRuleset): readonly SimRule[] {
  return ruleset.versions.at(-1)?.rules ?? []
}

function requireEdit(call: Call, phase: RulePhase): void {
  requirePermission(call.caller, [rulePermission(phase, 'edit')], call.nowMs)
}

function entryPoint(call: Call, zone: SimZone): SimRuleset {
  const phase = phaseOf(call.param)
  requirePermission(call.caller, [rulePermission(phase, 'read')], call.nowMs)
  const ruleset = rulesetsOf(call.state, zone).get(phase)
  if (ruleset === undefined) throw refuse(404, 10003, `could not find entrypoint ruleset in the "${phase}" phase`)
  return ruleset
}

function rulesetById(call: Call, zone: SimZone, access: 'read' | 'edit'): SimRuleset {
  const ruleset = [...rulesetsOf(call.state, zone).values()].find(({ id }) => id === call.param)
  if (ruleset === undefined) throw refuse(404, 10001, 'could not find ruleset')
  requirePermission(call.caller, [rulePermission(ruleset.phase, access)], call.nowMs)
  return ruleset
}

function ruleById(call: Call, ruleset: SimRuleset): SimRule {
  const rule = rulesOf(ruleset).find(({ id }) => id === call.innerParam)
  if (rule === undefined) throw refuse(404, 10002, 'could not find rule')
  return rule
}

function headView(ruleset: SimRuleset, version = ruleset.versions.at(-1)): RulesetListResponse {
  return {
    description: ruleset.description,
    id: ruleset.id,
    kind: 'zone',
    last_updated: isoTime(version?.lastUpdatedMs ?? 0),
    name: ruleset.name,
    phase: ruleset.phase,
    version: String(version?.version ?? 1),
  }
}

function view(ruleset: SimRuleset, version = ruleset.versions.at(-1)) {
  return { ...headView(ruleset, version), rules: (version?.rules ?? []).map(ruleView) }
}

function ruleView({ id, ref, version, lastUpdatedMs, fields }: SimRule) {
  return { id, version: String(version), ...fields, last_updated: isoTime(lastUpdatedMs), ref }
}

function versionsView(ruleset: SimRuleset) {
  return ruleset.versions.toReversed().map((version) => headView(ruleset, version))
}

function versionView(ruleset: SimRuleset, wanted: string) {
  const version = ruleset.versions.find((other) => String(other.version) === wanted)
  if (version === undefined) throw refuse(404, 10001, 'could not find ruleset version')
  return view(ruleset, version)
}

function pageSizeOf(text: string | null): number {
  const size = text === null ? 50 : Number(text)
  if (!Number.isInteger(size) || size < 1 || size > 50) throw refuse(400, 10000, 'per_page must be between 1 and 50')
  return size
}

function textOf(body: JsonObject, field: string, absent = ''): string {
  const value = body[field] ?? absent
  if (typeof value !== 'string') throw refuse(400, 10000, `invalid JSON: ${field} is not a string`)
  return value
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
