export { selectBehind } from './list-addresses.ts'
