import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The registrar components for other features; code and texts of actions are loaded when first shown. */
export { NoRegistrars } from './no-registrars.tsx'
export { disambiguateNames } from './choose-registrars.ts'
export { useManagedRegistrars } from './use-managed-registrars.ts'

export const CreateRegistrar = lazyPart(async () => ({
  default: (await Promise.all([import('./registrar-dialog.tsx'), loadTexts('registrars')]))[0].RegistrarDialog,
}))

export const RegistrarDetails = lazyPart(async () => ({
  default: (await Promise.all([import('./registrar-details-dialog.tsx'), loadTexts('registrars')]))[0].RegistrarDetailsDialog,
}))

export const NewRegistrar = lazyPart(async () => ({
  default: (await Promise.all([import('./new-registrar.tsx'), loadTexts('registrars')]))[0].NewRegistrar,
}))
