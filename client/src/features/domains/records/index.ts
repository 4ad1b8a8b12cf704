/** The record components for other features. They require the `records` texts. */
export { inputOf } from './record-draft.ts'
export { firstRow, filledRows, rowOf, type RecordRow } from './record-rows.ts'
export { RecordFields } from './record-fields.tsx'
export { useTtlWords } from './use-ttl-words.ts'
