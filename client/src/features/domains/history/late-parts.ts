import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The parts of the history for other features, loaded when they are first shown. */
const texts = ['history', 'security', 'rule-names'] as const
export const LateEntryList = lazyPart(async () => (await import('./entry-list.tsx')).EntryList, ...texts)
export const LateRevertDialog = lazyPart(async () => (await import('./revert-dialog.tsx')).RevertDialog, ...texts)
