import { quickAdd } from '#client/lib/quick-add.ts'
import { manyDraft } from './many-draft.ts'

/** Opens the dialog for new domains with these names in its list; with the address that they are to lead to, where one is known. */
export function startAddingMany(names: readonly string[], ipAddress = ''): void {
  manyDraft.set((before) => ({ ...before, text: names.join('\n'), values: { ...before.values, ipAddress } }))
  quickAdd.set('domain')
}
