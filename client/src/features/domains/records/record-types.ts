import { recordExamples } from '#shared/features/domains/records/record-types.ts'
import type { RecordType } from '#shared/features/domains/records/schema.ts'

/** What nearly every record is, offered first. */
const usual: readonly RecordType[] = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA']
const all = Object.keys(recordExamples) as RecordType[]

export const recordTypes: readonly RecordType[] = [...usual, ...all.filter((type) => !usual.includes(type)).toSorted()]

/** Null for what the provider has and nobody can make, e.g. SOA. */
export const knownType = (type: string): RecordType | null => recordTypes.find((each) => each === type) ?? null

export const autoTtl = 1
/** Seconds; for many records at once. */
export const bulkTtls: readonly number[] = [autoTtl, 60, 300, 3_600, 86_400]
