import { canonicalContent } from './rules.ts'

type ReportedRecord = { readonly type: string; readonly name: string; readonly content: string; readonly priority?: number | null }

const isAddress = (type: string) => type === 'A' || type === 'AAAA' || type === 'CNAME'

export const isSameRecord = (one: ReportedRecord, other: ReportedRecord, zoneName: string): boolean =>
  one.type === other.type &&
  one.name === other.name &&
  (one.priority ?? null) === (other.priority ?? null) &&
  canonicalContent(one.type, one.content, zoneName) === canonicalContent(other.type, other.content, zoneName)

/** Why the provider would reject a record beside these: a key of the `validation` texts; null if it would accept it. */
export function conflictOf(
  record: ReportedRecord,
  others: readonly ReportedRecord[],
  zoneName: string,
): 'record_name_taken' | 'record_cname_there' | 'record_there' | null {
  const beside = others.filter(({ name }) => name === record.name)
  if (beside.some((other) => isSameRecord(other, record, zoneName))) return 'record_there'
  if (!isAddress(record.type)) return null
  if (beside.some(({ type }) => type === 'CNAME')) return 'record_cname_there'
  return record.type === 'CNAME' && beside.some(({ type }) => isAddress(type)) ? 'record_name_taken' : null
}
