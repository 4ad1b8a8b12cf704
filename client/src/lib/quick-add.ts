import { createStore } from './store.ts'

/** What can be added on any page: one row here, one in `routes/-quick-adds.tsx`, one in the navigation, texts in `shell.json`. */
export type QuickAddId = 'account' | 'domain' | 'group' | 'profile' | 'registrar' | 'reserve' | 'user'

/** The open dialog, if any. */
export const quickAdd = createStore<QuickAddId | null>(null)
