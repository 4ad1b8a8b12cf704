export { buyName } from './buy-name.ts'
export { askNames } from './check-names.ts'
export { getRegistrant } from './get-contact.ts'
export { listOnOrder } from './list-on-order.ts'
