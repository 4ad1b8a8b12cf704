import { isDeepStrictEqual } from 'node:util'
import type { RecordChanges } from '#server/features/domains/index.ts'
import type { DomainSettings } from '#shared/features/domains/schema.ts'
import { recordFor } from '#shared/features/profiles/rules.ts'
import type { Profile, ProfileDifference, ProfileSettings } from '#shared/features/profiles/schema.ts'
import { canonicalContent, comparableContent } from '#shared/features/domains/records/rules.ts'
import type { CheckedRecord } from '#shared/features/domains/records/rules.ts'
import { seenOf } from '#shared/features/domains/records/record-types.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { hstsOf } from '#shared/features/domains/settings/rules.ts'
import type { RuleVariables } from '#shared/features/profiles/variables.ts'
import type { RulesPlan } from './plan-rules.policy.ts'

type ShownRecord = NonNullable<ProfileDifference['records'][number]['before']>
type Key = keyof ProfileSettings

/** The changes that apply a profile to a domain. */
export interface ProfilePlan {
  readonly difference: ProfileDifference
  /** The differing settings with their new values. */
  readonly settings: ProfileSettings
  readonly changes: RecordChanges
  readonly rules: Pick<RulesPlan, 'seen' | 'calls' | 'warnings'> & Required<Pick<RuleVariables, 'trackerHost' | 'own'>>
}

const shown = ({ type, name, content, ttl, proxied, priority }: ShownRecord): ShownRecord => ({
  type,
  name,
  content,
  ttl,
  proxied,
  priority,
})

/** The mirror's value of a setting in the form of a profile; null before it was read. */
export function settingOf(settings: DomainSettings, key: Key): unknown {
  return (key === 'hsts' ? hstsOf(settings.values['security_header']?.value) : settings[key]) ?? null
}
const isOff = (header: unknown) => typeof header === 'object' && header !== null && 'enabled' in header && header.enabled === false
/** A disabled header is equal to any other, regardless of its age. */
const same = (key: Key, is: unknown, wanted: unknown) => isDeepStrictEqual(is, wanted) || (key === 'hsts' && isOff(is) && isOff(wanted))

/** Whether the mirror's value equals the wanted one. */
export const hasSetting = (settings: DomainSettings, key: Key, wanted: unknown): boolean => same(key, settingOf(settings, key), wanted)

/**
 * The slot that a record fills, where a name has only one: the addresses of a name replace each other, and so do its SPF and DMARC
 * policies. Null for records that coexist.
 */
function slotOf({ type, name, content }: Pick<DnsRecord, 'type' | 'name' | 'content'>): string | null {
  if (type === 'A' || type === 'AAAA' || type === 'CNAME') return `address ${name}`
  const policy = type === 'TXT' ? /^v=(spf1|dmarc1)\b/i.exec(content.trimStart().replace(/^"/, '').trimStart())?.[1] : undefined
  return policy === undefined ? null : `${policy.toLowerCase()} ${name}`
}

const asWanted = (record: DnsRecord, { ttl, proxied, priority }: CheckedRecord) =>
  record.ttl === ttl && record.proxied === proxied && (priority === null || record.priority === priority)

function planRecords(records: readonly DnsRecord[], wanted: readonly CheckedRecord[], domain: string) {
  const left = new Set(records)
  const take = (matches: (record: DnsRecord) => boolean): DnsRecord | undefined => {
    const record = records.find((each) => left.has(each) && matches(each))
    if (record !== undefined) left.delete(record)
    return record
  }
  const updated: { before: DnsRecord; after: CheckedRecord }[] = []
  const missing = wanted.filter((after) => {
    const before = take(
      ({ type, name, content }) => type === after.type && name === after.name && canonicalContent(type, content, domain) === after.content,
    )
    if (before !== undefined && !asWanted(before, after)) updated.push({ before, after })
    return before === undefined
  })
  const created = missing.filter((after) => {
    const slot = slotOf(after)
    const before = slot === null ? undefined : take((record) => record.type === after.type && slotOf(record) === slot)
    if (before !== undefined) updated.push({ before, after })
    return before === undefined
  })
  const slots = new Set(wanted.flatMap((record) => slotOf(record) ?? []))
  const deleted = [...left].filter((record) => slots.has(slotOf(record) ?? ''))
  return { updated, created, deleted }
}

/** The profile's records for this domain, each once; an invalid record has a code. */
export function recordsOf(
  { records }: Pick<Profile, 'records'>,
  domain: string,
): { readonly wanted: CheckedRecord[] } | { readonly refused: string } {
  const wanted: CheckedRecord[] = []
  for (const record of records) {
    const { record: checked, problems } = recordFor(record, domain)
    if (checked === null) return { refused: problems[0]?.code ?? 'validation_failed' }
    const { type, name, content } = checked
    if (!wanted.some((each) => each.type === type && each.name === name && each.content === content)) wanted.push(checked)
  }
  return { wanted }
}

const noRules: ProfilePlan['rules'] & Pick<RulesPlan, 'rows'> = { rows: [], seen: [], calls: 0, warnings: [], trackerHost: null, own: {} }

/** @param now `records`: at least those of the domain at the names of the profile; `rules`: their plan */
export function planProfile(
  profile: Pick<Profile, 'settings'>,
  wanted: readonly CheckedRecord[],
  now: {
    readonly domain: string
    readonly settings: DomainSettings
    readonly records: readonly DnsRecord[]
    readonly rules?: typeof noRules
  },
): ProfilePlan {
  const { rows, ...rules } = now.rules ?? noRules
  const keys = (Object.keys(profile.settings) as Key[]).filter(
    (key) => profile.settings[key] !== undefined && !hasSetting(now.settings, key, profile.settings[key]),
  )
  const { updated, created, deleted } = planRecords(now.records, wanted, now.domain)
  return {
    difference: {
      settings: keys.map((key) => ({ key, before: settingOf(now.settings, key), after: profile.settings[key] })),
      records: [
        ...updated.map(({ before, after }) => ({
          before: shown(before),
          after: shown({ ...after, priority: after.priority ?? before.priority }),
        })),
        ...deleted.map((before) => ({ before: shown(before), after: null })),
        ...created.map((after) => ({ before: null, after: shown(after) })),
      ],
      rules: rows,
      areRulesRead: rules.seen !== null,
    },
    rules,
    settings: Object.fromEntries(keys.map((key) => [key, profile.settings[key]])),
    changes: {
      deletes: deleted.map((record) => ({ recordId: record.id, seen: seenOf(record) })),
      updates: updated.map(({ before, after: { content, ttl, proxied, priority } }) => ({
        recordId: before.id,
        patch: { content, ttl, proxied, ...(priority === null ? {} : { priority }) },
        seen: seenOf(before),
      })),
      creates: created.map(({ type, name, content, ttl, proxied, priority }) => ({
        record: { type, name, content, ttl, proxied, ...(priority === null ? {} : { priority }) },
      })),
    },
  }
}

/** Whether the records already match the result of the changes. */
export function isDone(
  records: readonly DnsRecord[],
  { deletes = [], updates = [], creates = [] }: RecordChanges,
  domain: string,
): boolean {
  const byId = new Map(records.map((record) => [record.id, record]))
  const has = (record: DnsRecord | undefined, content: string | undefined) =>
    record !== undefined &&
    (content === undefined || comparableContent(record.type, record.content, domain) === comparableContent(record.type, content, domain))
  return (
    deletes.every(({ recordId }) => !byId.has(recordId)) &&
    updates.every(({ recordId, patch }) => {
      const now = byId.get(recordId)
      return (
        has(now, patch.content) &&
        now?.proxied === patch.proxied &&
        now?.ttl === patch.ttl &&
        (patch.priority === undefined || now?.priority === patch.priority)
      )
    }) &&
    creates.every(({ record }) =>
      records.some((each) => each.type === record.type && each.name === record.name && has(each, record.content)),
    )
  )
}
