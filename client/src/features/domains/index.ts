/** What other features use of domains: how new ones are asked for. */
export { AccountOrder } from './add-domain/account-order.tsx'
export { AddFields, newDomain, type NewDomain } from './add-domain/add-fields.tsx'
export { useManagedAccounts } from './add-domain/use-managed-accounts.ts'
export { useOurs } from './add-domain/use-ours.ts'
export { startAddingMany } from './add-domain/many-draft.ts'
export { splitNames } from './lookup/split-names.ts'
