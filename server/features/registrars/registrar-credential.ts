import { z } from 'zod'
import { decryptStored } from '#server/platform/secrets.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { RegistrarAccess, RegistrarCredential } from '#server/ports/registrar.ts'
import { credentialField } from '#shared/features/registrars/schema.ts'
import { hasApi } from '#shared/features/registrars/rules.ts'
import type { CredentialField, RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import type { RegistrarRow } from './registrars.repo.ts'

export const credentialContext = (id: string) => `registrar:${id}:credential`
export const accountPasswordContext = (id: string) => `registrar:${id}:accountPassword`

/** Content of `credential_sealed`. */
export const stored = z.partialRecord(credentialField, z.string())
export type StoredCredential = z.infer<typeof stored>

/** Equal for the same provider and credential; reveals nothing else. */
export const credentialHashOf = (
  secrets: Pick<Secrets, 'fingerprint'>,
  { provider, sandbox }: Pick<RegistrarRow, 'provider' | 'sandbox'>,
  credential: StoredCredential,
): string =>
  secrets.fingerprint(JSON.stringify([provider, sandbox, Object.entries(credential).toSorted(([one], [other]) => (one < other ? -1 : 1))]))

/** All stored fields, decrypted. @throws AppError secret_unreadable */
export const openCredential = (secrets: Secrets, row: Pick<RegistrarRow, 'id' | 'name' | 'credentialSealed'>): StoredCredential =>
  stored.parse(
    JSON.parse(
      decryptStored(secrets, {
        encrypted: row.credentialSealed,
        context: credentialContext(row.id),
        secret: 'registrar_credential',
        name: row.name,
      }),
    ),
  )

/** The columns that hold a credential. */
export function encryptCredential(
  secrets: Secrets,
  of: Pick<RegistrarRow, 'id' | 'provider' | 'sandbox'>,
  credential: StoredCredential,
): Pick<RegistrarRow, 'credentialSealed' | 'credentialFields' | 'credentialHash'> {
  return {
    credentialSealed: secrets.encrypt(JSON.stringify(credential), credentialContext(of.id)),
    credentialFields: Object.keys(credential).toSorted(),
    credentialHash: credentialHashOf(secrets, of, credential),
  }
}

/** The submitted fields without empty ones; secrets are already trimmed. */
export const givenCredential = (input: Readonly<Partial<Record<CredentialField, string | undefined>>>): StoredCredential =>
  Object.fromEntries(credentialField.options.flatMap((field) => ((input[field] ?? '') === '' ? [] : [[field, input[field] ?? '']])))

/** A registrar with an API. */
export type ApiRegistrarRow = RegistrarRow & { readonly provider: RegistrarProvider }

/** @throws AppError registrar_manual, secret_unreadable */
export function accessOf(secrets: Secrets, row: RegistrarRow): RegistrarAccess {
  if (!hasApi(row)) throw new AppError('registrar_manual')
  return { provider: row.provider, sandbox: row.sandbox, credential: openCredential(secrets, row) satisfies RegistrarCredential }
}
