import { credentialField } from '#shared/features/registrars/schema.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { toDisappearance } from './registrars.repo.ts'
import type { ShownRegistrar } from './registrars.repo.ts'

function syncState({ type, syncing, nextSyncAt, syncErrorCode }: ShownRegistrar['registrar']): Registrar['sync']['state'] {
  if (type === 'MANUAL') return 'idle'
  if (syncing) return 'running'
  if (nextSyncAt !== null && nextSyncAt.getTime() <= Date.now()) return 'queued'
  return syncErrorCode === null ? 'idle' : 'failed'
}

/** The registrar without any secret. */
export const toRegistrar = ({ registrar: row, disappearance, ownerName, domainsCount }: ShownRegistrar): Registrar => ({
  id: row.id,
  ownerId: row.ownerId,
  ownerName,
  name: row.name,
  type: row.type,
  provider: row.provider,
  company: row.company,
  sandbox: row.sandbox,
  apiUrl: row.apiUrl,
  email: row.accountEmail,
  hasAccountPassword: row.accountPasswordSealed !== null,
  credentialFields: credentialField.options.filter((field) => row.credentialFields.includes(field)),
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
