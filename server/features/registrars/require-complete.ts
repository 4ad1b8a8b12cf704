import { AppError } from '#shared/errors/app-error.ts'
import { missingFields } from '#shared/features/registrars/rules.ts'
import type { RegistrarRow } from './registrars.repo.ts'
import type { StoredCredential } from './registrar-credential.ts'

/**
 * A registrar must have all fields required by its provider (R-REG-02); an unknown company must have a name.
 * @throws AppError validation_failed with every missing field
 */
export function requireComplete(registrar: Pick<RegistrarRow, 'type' | 'provider' | 'company'>, credential: StoredCredential): void {
  const { type, provider, company } = registrar
  const missing: string[] = [...missingFields({ type, provider }, new Set(Object.keys(credential) as (keyof StoredCredential)[]))]
  if (provider === 'OTHER' && (company ?? '') === '') missing.unshift('company')
  const issues = missing.map((path) => ({ path, message: 'required' }))
  if (provider === 'OTHER' && type === 'API_ENABLED') issues.unshift({ path: 'provider', message: 'provider_without_api' })
  if (issues.length > 0) throw new AppError('validation_failed', { issues })
}
