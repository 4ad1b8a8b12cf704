import { auth } from '#client/lib/auth.ts'
import { createStore } from '#client/lib/store.ts'
import { newDomain, type NewDomain } from './add-fields.tsx'

interface ManyDraft {
  text: string
  /** Null: not chosen. */
  accountIds: string[] | null
  values: NewDomain & { registrarId: string | null }
}

const empty: ManyDraft = { text: '', accountIds: null, values: { ...newDomain, registrarId: null } }

/** What was pasted and chosen for many domains: a dialog that is left comes back with it, until it is run or cancelled. */
export const manyDraft = createStore<ManyDraft>(empty)
export const dropManyDraft = (): void => manyDraft.set(empty)
auth.subscribe(() => {
  if (!auth.get().isAuthenticated) dropManyDraft()
})
