/** What other features show of changes. */
export { useChangeWords } from './use-change-words.ts'

/** Its code comes when something was changed. */
export const offerUndoOfLastChange = async (zoneId: string, title: string): Promise<void> =>
  (await import('./undo-last-change.ts')).offerUndoOfLastChange(zoneId, title)
