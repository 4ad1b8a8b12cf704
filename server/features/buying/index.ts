export { buyName } from './buy-name.ts'
export { askNames } from './check-names.ts'
export { getRegistrant } from './get-contact.ts'
export { listOpen } from './purchases.repo.ts'
