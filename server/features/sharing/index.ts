export { publishSharesChanged } from './publish-shares-changed.ts'
