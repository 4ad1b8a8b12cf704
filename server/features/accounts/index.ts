export { listAccounts } from './list-accounts.ts'
export { credentialHashOf } from './encrypt-account.ts'
