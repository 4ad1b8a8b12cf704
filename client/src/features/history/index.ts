/** What other features show of changes. */
export { useChangeWords } from './use-change-words.ts'
