import { registrarCatalog } from './catalog.ts'
import type { CredentialField, RegistrarCompany, RegistrarProvider } from './catalog.ts'

interface Asked {
  readonly type: 'MANUAL' | 'API_ENABLED'
  readonly provider: RegistrarCompany
}

/** Whether it is used through an API that the panel supports. */
export const hasApi = <R extends Asked>(registrar: R): registrar is R & { readonly provider: RegistrarProvider } =>
  registrar.type === 'API_ENABLED' && registrar.provider !== 'OTHER'

/** The display name of the company. */
export const companyOf = ({ provider, company }: { readonly provider: RegistrarCompany; readonly company: string | null }): string =>
  provider === 'OTHER' ? (company ?? '') : registrarCatalog[provider].name

/** The fields of the form: each set is one way to authenticate. A manual registrar has login fields. */
export const waysOf = ({ type, provider }: Asked): readonly (readonly CredentialField[])[] =>
  type === 'MANUAL' || provider === 'OTHER' ? [['username', 'password']] : registrarCatalog[provider].ways.map(({ fields }) => fields)

/** Every field that can be filled, once. */
export const fieldsOf = (asked: Asked): readonly CredentialField[] => [...new Set(waysOf(asked).flat())]

/** The missing fields of the most complete set; empty when one is complete (R-REG-02). */
export function missingFields(asked: Asked, filled: ReadonlySet<CredentialField>): readonly CredentialField[] {
  const missing = waysOf(asked).map((way) => way.filter((field) => !filled.has(field)))
  return missing.toSorted((one, other) => one.length - other.length)[0] ?? []
}
