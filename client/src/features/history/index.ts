/** What other features show of changes. */
export { offerUndoOfLastChange } from './undo-last-change.ts'
export { useChangeWords } from './use-change-words.ts'
