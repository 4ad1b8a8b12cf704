import type { Ctx } from '#server/platform/context.ts'
import { findShared } from '#server/platform/access-scope.ts'
import type { AccessTarget } from '#server/platform/access-scope.ts'
import { credentialField } from '#shared/features/registrars/schema.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { toDisappearance } from './registrars.repo.ts'
import type { ShownRegistrar } from './registrars.repo.ts'

function syncState({ type, syncing, nextSyncAt, syncErrorCode }: ShownRegistrar['registrar']): Registrar['sync']['state'] {
  if (type === 'MANUAL') return 'idle'
  if (syncing) return 'running'
  if (nextSyncAt !== null && nextSyncAt.getTime() <= Date.now()) return 'queued'
  return syncErrorCode === null ? 'idle' : 'failed'
}

/** The object for access checks. */
export const toAccessTarget = ({ id, ownerId }: { readonly id: string; readonly ownerId: string }): AccessTarget => ({
  ownerId,
  registrarId: id,
})

/** The registrar without secrets. The login is included only for the owner, not for users it is shared with. */
const view = ({ registrar: row, disappearance, ownerName, domainsCount, sharedWith }: ShownRegistrar, shared: SharedWithMe): Registrar => ({
  id: row.id,
  ownerId: row.ownerId,
  ownerName,
  shared,
  sharedWith: shared === null ? sharedWith : 0,
  name: row.name,
  type: row.type,
  provider: row.provider,
  company: row.company,
  sandbox: row.sandbox,
  apiUrl: row.apiUrl,
  email: shared === null ? row.accountEmail : null,
  hasAccountPassword: shared === null && row.accountPasswordSealed !== null,
  credentialFields: shared === null ? credentialField.options.filter((field) => row.credentialFields.includes(field)) : [],
  health: row.health,
  healthCode: row.healthCode,
  healthMessage: row.healthMessage,
  checkedAt: row.checkedAt?.toISOString() ?? null,
  balance: row.balanceMinor === null || row.balanceCurrency === null ? null : { minor: row.balanceMinor, currency: row.balanceCurrency },
  balanceAt: row.balanceAt?.toISOString() ?? null,
  namesCount: row.namesCount,
  domainsCount,
  sync: {
    state: syncState(row),
    syncedAt: row.syncedAt?.toISOString() ?? null,
    errorCode: row.syncErrorCode,
    errorMessage: row.syncErrorMessage,
    nextAt: row.nextSyncAt?.toISOString() ?? null,
  },
  disappearance: toDisappearance(disappearance),
  createdAt: row.createdAt.toISOString(),
})

/** As the actor sees it. */
export const toRegistrar = async (ctx: Ctx, row: ShownRegistrar): Promise<Registrar> =>
  view(row, await findShared(ctx, toAccessTarget(row.registrar)))
