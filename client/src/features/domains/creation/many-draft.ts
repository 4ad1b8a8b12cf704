import { auth } from '#client/lib/auth.ts'
import { createStore } from '#client/lib/store.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { newDomain, type NewDomain } from './add-fields.tsx'

/** Opens the dialog for new domains with these names, and with their IP address if it is known. */
export function startAddingMany(names: readonly string[], ipAddress = ''): void {
  manyDraft.set((before) => ({ ...before, text: names.join('\n'), values: { ...before.values, ipAddress } }))
  quickAdd.set('domain')
}

interface ManyDraft {
  text: string
  /** Null: not selected. */
  accountIds: string[] | null
  values: NewDomain & { registrarId: string | null }
}

const empty: ManyDraft = { text: '', accountIds: null, values: { ...newDomain, registrarId: null } }

/** The input for many domains, kept when the dialog is closed until it is run or cancelled. */
export const manyDraft = createStore<ManyDraft>(empty)
export const dropManyDraft = (): void => manyDraft.set(empty)
auth.subscribe(() => {
  if (!auth.get().isAuthenticated) dropManyDraft()
})
