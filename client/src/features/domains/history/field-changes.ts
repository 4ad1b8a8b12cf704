import type { Entry, Step } from './queries.ts'

/** The displayed fields of a record, in reading order. */
const recordFields = ['type', 'name', 'content', 'priority', 'ttl', 'proxied', 'comment', 'tags'] as const
/** The fields of a rule's definition. */
const ruleFields = ['description', 'expression', 'action', 'enabled', 'action_parameters', 'ratelimit', 'logging'] as const
const ipRuleFields = ['mode', 'note', 'expires_at'] as const
const hstsFields = ['enabled', 'max_age', 'include_subdomains', 'preload', 'nosniff'] as const

export type FieldName =
  | (typeof recordFields)[number]
  | (typeof ruleFields)[number]
  | (typeof ipRuleFields)[number]
  | (typeof hstsFields)[number]
  | 'value'

/** A field's value before and after; undefined on a side where the resource did not exist. */
export interface FieldChange {
  field: FieldName
  before: unknown
  after: unknown
}

type ChangeKind = 'created' | 'deleted' | 'changed'
type Sides = Pick<Entry, 'subject' | 'before' | 'after'>

/** Records and rules have ids of their own, so they can be added and deleted. */
const isResource = (subject: string): boolean => subject === 'record' || subject === 'rule' || subject === 'ip_rule'

export const kindOf = ({ subject, before, after }: Sides): ChangeKind =>
  !isResource(subject) ? 'changed' : before == null ? 'created' : after == null ? 'deleted' : 'changed'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const blank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0)

/** A setting is stored as `{value}`; the value may be a header with several parts. */
function settingOf(side: unknown): { value: unknown; header: Readonly<Record<string, unknown>> | null } {
  const value = isObject(side) && 'value' in side ? side['value'] : side
  const header = isObject(value) ? value['strict_transport_security'] : undefined
  return { value, header: isObject(header) ? header : null }
}

const namesOf = (side: unknown): unknown => (isObject(side) && Array.isArray(side['names']) ? side['names'] : null)

function definitionOf(side: unknown): Readonly<Record<string, unknown>> | null {
  const definition = isObject(side) ? side['definition'] : null
  return isObject(definition) ? definition : null
}

/** The changed fields; for an added or deleted record or rule, all its fields. */
export function fieldChanges({ subject, before, after }: Sides): FieldChange[] {
  if (subject === 'record') {
    const [was, is] = [isObject(before) ? before : null, isObject(after) ? after : null]
    return recordFields
      .map((field) => ({ field, before: was?.[field], after: is?.[field] }))
      .filter((change) => {
        if (was !== null && is !== null) return !same(change.before, change.after)
        // The label contains both already.
        return change.field !== 'type' && change.field !== 'name' && !(blank(change.before) && blank(change.after))
      })
  }
  if (subject === 'rule') {
    const [was, is] = [definitionOf(before), definitionOf(after)]
    return ruleFields
      .map((field) => ({ field, before: was?.[field], after: is?.[field] }))
      .filter((change) => {
        if (was !== null && is !== null) return !same(change.before, change.after)
        // The label is the description, and a rule usually runs.
        if (change.field === 'enabled') return (change.before ?? change.after) === false
        return change.field !== 'description' && !(blank(change.before) && blank(change.after))
      })
  }
  if (subject === 'ip_rule') {
    const [was, is] = [isObject(before) ? before : null, isObject(after) ? after : null]
    const keys = { mode: 'mode', note: 'note', expires_at: 'expiresAt' } as const
    return ipRuleFields
      .map((field) => ({ field, before: was?.[keys[field]], after: is?.[keys[field]] }))
      .filter((change) =>
        was !== null && is !== null ? !same(change.before, change.after) : !(blank(change.before) && blank(change.after)),
      )
  }
  // Ids of rules mean nothing to people; the preview of a revert has no names.
  if (subject === 'rule_order') {
    const [was, is] = [namesOf(before), namesOf(after)]
    return was === null || is === null ? [] : [{ field: 'value', before: was, after: is }]
  }
  const [was, is] = [settingOf(before), settingOf(after)]
  if (was.header === null && is.header === null) return [{ field: 'value', before: was.value, after: is.value }]
  return hstsFields
    .map((field) => ({ field, before: was.header?.[field], after: is.header?.[field] }))
    .filter((change) => !same(change.before, change.after))
}

/** What undo does: an added record is deleted, a deleted one is added, anything else is changed. */
export function stepWord({ state, now, wanted }: Pick<Step, 'state' | 'now' | 'wanted'>, subject: string) {
  if (state !== 'will_change' || !isResource(subject)) return state
  return now === null ? 'will_add' : wanted === null ? 'will_delete' : state
}
