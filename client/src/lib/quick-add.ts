import { createStore } from './store.ts'

/** What can be added from anywhere: a row here, one in `routes/-quick-adds.tsx`, one in the navigation. */
export type QuickAddId = 'account' | 'domain' | 'group' | 'profile' | 'registrar'

/** The dialog that is open, if any. */
export const quickAdd = createStore<QuickAddId | null>(null)
