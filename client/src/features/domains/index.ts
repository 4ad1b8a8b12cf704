/** What other features need to show and to add domains. */
export { AccountOrder } from './creation/account-order.tsx'
export { AddFields, newDomain, type NewDomain } from './creation/add-fields.tsx'
export { useManagedAccounts, useOurs } from './creation/queries.ts'
export { startAddingMany } from './creation/many-draft.ts'
export { splitNames } from './lookup/split-names.ts'
export { statusTone } from './tones.ts'
