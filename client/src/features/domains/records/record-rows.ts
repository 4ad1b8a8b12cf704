import type { RecordInput } from '#shared/features/domains/records/schema.ts'
import { autoTtl, emptyDraft, type RecordDraft } from './record-draft.ts'

/** A record in a list for many domains. */
export interface RecordRow extends RecordDraft {
  key: number
}

export const firstRow: RecordRow = { ...emptyDraft, key: 0, name: '@', priority: '10' }

export const rowOf = ({ type, name, content, ttl = autoTtl, proxied = false, priority }: RecordInput, key: number): RecordRow => ({
  ...firstRow,
  key,
  type,
  name,
  content,
  ttl,
  proxied,
  ...(priority !== undefined && { priority: String(priority) }),
})

/** The non-empty rows; an empty name is the apex. */
export const filledRows = (rows: readonly RecordRow[]): RecordRow[] =>
  rows.filter(({ content }) => content.trim() !== '').map((row) => (row.name.trim() === '' ? { ...row, name: '@' } : row))
