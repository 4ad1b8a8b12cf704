/** What other features use of domains: how new ones are asked for. */
export { AccountOrder } from './add-domain/account-order.tsx'
export { AddFields, newDomain, type NewDomain } from './add-domain/add-fields.tsx'
export { useManagedAccounts, useOurs } from './add-domain/queries.ts'
export { startAddingMany } from './add-domain/many-draft.ts'
export { splitNames } from './lookup/split-names.ts'
