import type { FunctionComponent } from 'react'
import { CreateGroup } from '#client/features/groups/index.ts'
import { CreateProfile } from '#client/features/profiles/index.ts'
import { CreateRegistrar } from '#client/features/registrars/index.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import type { QuickAddId } from '#client/lib/quick-add.ts'

/** The dialog of each quick add; its code is loaded when it is first opened. */
export const quickAdds: Record<QuickAddId, FunctionComponent<{ onClose: () => void }>> = {
  account: lazyPart(async () => (await import('#client/features/accounts/add-account-dialog.tsx')).AddAccountDialog, 'accounts'),
  domain: lazyPart(
    async () => (await import('#client/features/domains/creation/add-domain-dialog.tsx')).AddDomainDialog,
    'domains',
    'accounts',
    'operations',
    'security',
    'records',
  ),
  group: CreateGroup,
  profile: CreateProfile,
  registrar: CreateRegistrar,
  reserve: lazyPart(async () => {
    const [{ AddReserveDialog }] = await Promise.all([
      import('#client/features/trackers/reserve/add-reserve-dialog.tsx'),
      loadTexts('trackers', 'domains', 'operations'),
    ])
    return { default: AddReserveDialog }
  }),
  user: lazyPart(async () => {
    const [{ UserDialog }] = await Promise.all([import('#client/features/users/user-dialogs.tsx'), loadTexts('users')])
    return { default: UserDialog }
  }),
}
