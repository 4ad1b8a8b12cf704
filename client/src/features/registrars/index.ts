import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The registrar components for other features; code and texts of actions are loaded when first shown. */
export { NoRegistrars } from './no-registrars.tsx'
export { disambiguateNames } from './choose-registrars.ts'
export { useManagedRegistrars } from './use-managed-registrars.ts'

export const CreateRegistrar = lazyPart(async () => (await import('./registrar-dialog.tsx')).RegistrarDialog, 'registrars')

export const RegistrarDetails = lazyPart(async () => (await import('./registrar-details-dialog.tsx')).RegistrarDetailsDialog, 'registrars')
