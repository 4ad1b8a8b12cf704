/** The history components for other features. */
export { useChangeWords } from './use-change-words.ts'

/** Its code is loaded after the first change. */
export const offerUndoOfLastChange = async (domainId: string, title: string): Promise<void> =>
  (await import('./undo-last-change.ts')).offerUndoOfLastChange(domainId, title)
