import type { CheckedRecord, RecordProblem } from '#shared/features/domains/records/rules.ts'
import { checkRecord } from '#shared/features/domains/records/rules.ts'
import { fillRecord } from '#shared/features/domains/records/template.ts'
import type { RecordInput } from '#shared/features/domains/records/schema.ts'

/** A stand-in domain when there is none yet. */
const anyDomain = 'example.com'

/** Validates a profile record for one domain by the rules of DNS records. */
export const recordFor = (record: RecordInput, domain: string) => checkRecord(fillRecord(record, { domain }), domain)

const isAddress = ({ type }: Pick<RecordInput, 'type'>) => type === 'A' || type === 'AAAA' || type === 'CNAME'

/** The problems of a profile's records for any domain; `index` is the position of the record. */
export function recordProblems(records: readonly RecordInput[]): (RecordProblem & { readonly index: number })[] {
  const checked = records.map((record) => recordFor(record, anyDomain))
  return checked.flatMap(({ record, problems }, index) => {
    const beside = checked.some(
      (other, at) =>
        at !== index && record?.type === 'CNAME' && other.record !== null && isAddress(other.record) && other.record.name === record.name,
    )
    const cnameIssues = beside ? [{ field: 'name' as const, code: 'profile_cname_conflict' }] : []
    return [...problems, ...cnameIssues].map((problem) => ({ ...problem, index }))
  })
}

/** The name relative to its domain; `@` is the apex. */
export const relativeName = (name: string, domain: string): string =>
  name === domain ? '@' : name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name

/** The names at which a profile has records, relative, in the provider's notation. */
export const namesOf = (records: readonly RecordInput[]): string[] => [
  ...new Set(
    records.flatMap((record) => {
      const checked: CheckedRecord | null = recordFor(record, anyDomain).record
      return checked === null ? [] : [relativeName(checked.name, anyDomain)]
    }),
  ),
]
