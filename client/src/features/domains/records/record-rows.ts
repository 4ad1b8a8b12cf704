import type { RecordInput } from '#shared/features/domains/records/schema.ts'
import { autoTtl, emptyDraft, type RecordDraft } from './record-draft.ts'

/** A record in a list of those that many domains get. */
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

/** Those that say something; a name that is left out is the domain's own. */
export const filledRows = (rows: readonly RecordRow[]): RecordRow[] =>
  rows.filter(({ content }) => content.trim() !== '').map((row) => (row.name.trim() === '' ? { ...row, name: '@' } : row))
