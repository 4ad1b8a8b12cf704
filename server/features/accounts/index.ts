export { listAccounts } from './list-accounts.ts'
export { credentialHashOf } from './seal-account.ts'
