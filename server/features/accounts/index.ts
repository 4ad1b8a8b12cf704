export { listAccounts } from './list-accounts.ts'
