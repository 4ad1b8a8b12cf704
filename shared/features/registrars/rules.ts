import { registrarCatalog } from './catalog.ts'
import type { CredentialField, RegistrarProvider } from './catalog.ts'

interface Asked {
  readonly type: 'MANUAL' | 'API_ENABLED'
  readonly provider: RegistrarProvider
}

/** The fields of the form: each set is one way in. By hand it is what a person signs in with. */
export const waysOf = ({ type, provider }: Asked): readonly (readonly CredentialField[])[] =>
  type === 'MANUAL' ? [['username', 'password']] : registrarCatalog[provider].ways.map(({ fields }) => fields)

/** Every field that may be filled, once. */
export const fieldsOf = (asked: Asked): readonly CredentialField[] => [...new Set(waysOf(asked).flat())]

/** What is missing for the way in that lacks least; empty when one is whole (R-REG-02). */
export function missingFields(asked: Asked, filled: ReadonlySet<CredentialField>): readonly CredentialField[] {
  const missing = waysOf(asked).map((way) => way.filter((field) => !filled.has(field)))
  return missing.toSorted((one, other) => one.length - other.length)[0] ?? []
}
