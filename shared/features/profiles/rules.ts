import type { CheckedRecord, RecordProblem } from '#shared/features/domains/records/rules.ts'
import { checkRecord } from '#shared/features/domains/records/rules.ts'
import { fillRecord } from '#shared/features/domains/records/template.ts'
import type { RecordInput } from '#shared/features/domains/records/schema.ts'

/** Stands for any domain where there is none yet. */
const anyDomain = 'example.com'

/** A record of a profile for one domain, by the rules of every record. */
export const recordFor = (record: RecordInput, domain: string) => checkRecord(fillRecord(record, { domain }), domain)

const isAddress = ({ type }: Pick<RecordInput, 'type'>) => type === 'A' || type === 'AAAA' || type === 'CNAME'

/** What is wrong with the records of a profile, whatever the domain; `index` is the place of the record. */
export function recordProblems(records: readonly RecordInput[]): (RecordProblem & { readonly index: number })[] {
  const checked = records.map((record) => recordFor(record, anyDomain))
  return checked.flatMap(({ record, problems }, index) => {
    const beside = checked.some(
      (other, at) =>
        at !== index && record?.type === 'CNAME' && other.record !== null && isAddress(other.record) && other.record.name === record.name,
    )
    const cnameIssues = beside ? [{ field: 'name' as const, code: 'profile_cname_alone' }] : []
    return [...problems, ...cnameIssues].map((problem) => ({ ...problem, index }))
  })
}

/** The name without its domain, `@` for the domain itself. */
export const relativeName = (name: string, domain: string): string =>
  name === domain ? '@' : name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name

/** The names at which a profile has records, relative, as the provider writes them. */
export const namesOf = (records: readonly RecordInput[]): string[] => [
  ...new Set(
    records.flatMap((record) => {
      const checked: CheckedRecord | null = recordFor(record, anyDomain).record
      return checked === null ? [] : [relativeName(checked.name, anyDomain)]
    }),
  ),
]
