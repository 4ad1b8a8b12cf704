import type accounts from './locales/ru/accounts.json'
import type auth from './locales/ru/auth.json'
import type common from './locales/ru/common.json'
import type domains from './locales/ru/domains.json'
import type errors from './locales/ru/errors.json'
import type shell from './locales/ru/shell.json'
import type validation from './locales/ru/validation.json'

/** One row a namespace: the file of its texts in every language. Russian gives the keys their types. */
export interface Texts {
  accounts: typeof accounts
  auth: typeof auth
  common: typeof common
  domains: typeof domains
  errors: typeof errors
  shell: typeof shell
  validation: typeof validation
}
export type Namespace = keyof Texts

export const namespaces = ['accounts', 'auth', 'common', 'domains', 'errors', 'shell', 'validation'] as const satisfies readonly Namespace[]
