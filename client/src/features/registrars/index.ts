import { lazy } from 'react'
import { loadTexts } from '#client/lib/i18n.ts'

/** What other features show of registrars; the code and the texts of what acts come when it is first shown. */
export { NoRegistrars } from './no-registrars.tsx'
export { tellApart } from './tell-apart.ts'
export { useManagedRegistrars } from './use-managed-registrars.ts'

export const CreateRegistrar = lazy(async () => ({
  default: (await Promise.all([import('./registrar-dialog.tsx'), loadTexts('registrars')]))[0].RegistrarDialog,
}))

export const NewRegistrar = lazy(async () => ({
  default: (await Promise.all([import('./new-registrar.tsx'), loadTexts('registrars')]))[0].NewRegistrar,
}))
