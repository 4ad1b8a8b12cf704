import { isObject } from '../deliver.ts'
import { bodyOf } from './call.ts'
import type { Call, JsonObject } from './call.ts'
import { getAccount } from './caller.ts'
import type { SimRedirectRules, SimRule } from './model.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import { refuseRule } from './rule-check.ts'
import { isoTime } from './zone-view.ts'

const PHASE = 'http_request_redirect'
/** On Free. */
const MOST_RULES = 15

/** GET /accounts/{account}/rulesets/phases/{phase}/entrypoint */
export function getAccountEntryPoint(call: Call): Reply {
  const rules = call.innerParam === PHASE ? rulesOf(call) : null
  if (rules === null) throw refuse(404, 10003, `could not find entrypoint ruleset in the "${call.innerParam}" phase`)
  return ok(view(rules))
}

/** POST /accounts/{account}/rulesets: the first one of the phase. */
export function createAccountRuleset(call: Call): Reply {
  const { kind, phase, rules = [] } = bodyOf(call)
  if (kind !== 'root' || phase !== PHASE) throw refuseRule(20217, `'${String(kind)}' is not a valid value for kind`, '/kind')
  if (rulesOf(call) !== null)
    throw refuseRule(
      20217,
      `'root' is not a valid value for kind because exceeded maximum number of root rulesets for phase ${PHASE}`,
      '/kind',
    )
  if (!Array.isArray(rules) || !rules.every(isObject)) throw refuse(400, 10000, 'invalid JSON: rules is not a list of rules')
  const made = rules.map((rule) => newRule(call, rule))
  const ruleset = { id: call.state.nextId(), version: 1, modifiedOnMs: call.nowMs, rules: made }
  call.state.redirectRules.set(call.param, ruleset)
  return ok(view(ruleset))
}

/** POST /accounts/{account}/rulesets/{ruleset}/rules: last. */
export function createAccountRule(call: Call): Reply {
  const rules = rulesetById(call)
  if (rules.rules.length >= MOST_RULES)
    throw refuseRule(
      50001,
      `exceeded the maximum number of rules in the phase ${PHASE}: ${rules.rules.length + 1} out of ${MOST_RULES}`,
      '/rules',
    )
  return changed(call, rules, [...rules.rules, newRule(call, bodyOf(call))])
}

/** PATCH /accounts/{account}/rulesets/{ruleset}/rules/{rule} */
export function editAccountRule(call: Call): Reply {
  const rules = rulesetById(call)
  const before = ruleById(call, rules)
  const after = { ...newRule(call, bodyOf(call)), id: before.id, version: before.version + 1 }
  return changed(
    call,
    rules,
    rules.rules.map((rule) => (rule === before ? after : rule)),
  )
}

/** DELETE /accounts/{account}/rulesets/{ruleset}/rules/{rule} */
export function deleteAccountRule(call: Call): Reply {
  const rules = rulesetById(call)
  const gone = ruleById(call, rules)
  return changed(
    call,
    rules,
    rules.rules.filter((rule) => rule !== gone),
  )
}

function changed(call: Call, ruleset: SimRedirectRules, rules: readonly SimRule[]): Reply {
  Object.assign(ruleset, { rules, version: ruleset.version + 1, modifiedOnMs: call.nowMs })
  return ok(view(ruleset))
}

function newRule(call: Call, given: JsonObject): SimRule {
  const { id: _id, ref, ...fields } = given
  const parameters = isObject(given['action_parameters']) ? given['action_parameters'] : {}
  const list = isObject(parameters['from_list']) ? parameters['from_list']['name'] : null
  if (given['action'] !== 'redirect' || typeof list !== 'string')
    throw refuseRule(20120, 'a rule of this phase redirects by a list', '/action_parameters/from_list')
  const isKnown = [...(call.state.redirectLists.get(call.param) ?? new Map()).values()].some(({ name }) => name === list)
  if (!isKnown) throw refuseRule(20120, `could not find the list ${list}`, '/action_parameters/from_list/name')
  const made = call.state.nextId()
  return {
    id: made,
    ref: typeof ref === 'string' && ref !== '' ? ref : made,
    version: 1,
    lastUpdatedMs: call.nowMs,
    fields: { description: '', enabled: true, ...fields },
  }
}

function rulesOf(call: Call): SimRedirectRules | null {
  return call.state.redirectRules.get(getAccount(call.state, call.caller, call.param).id) ?? null
}

function rulesetById(call: Call): SimRedirectRules {
  const rules = rulesOf(call)
  if (rules === null || rules.id !== call.innerParam) throw refuse(404, 10001, 'could not find ruleset')
  return rules
}

function ruleById(call: Call, { rules }: SimRedirectRules): SimRule {
  const rule = rules.find(({ id }) => id === call.thirdParam)
  if (rule === undefined) throw refuse(404, 10002, 'could not find rule')
  return rule
}

function view({ id, version, modifiedOnMs, rules }: SimRedirectRules) {
  return {
    id,
    name: 'default',
    description: '',
    kind: 'root',
    phase: PHASE,
    version: String(version),
    last_updated: isoTime(modifiedOnMs),
    rules: rules.map((rule) => ({
      id: rule.id,
      version: String(rule.version),
      ...rule.fields,
      last_updated: isoTime(rule.lastUpdatedMs),
      ref: rule.ref,
    })),
  }
}
