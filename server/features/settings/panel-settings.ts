import type { Database, Queryable } from '#server/db/client.ts'
import type { Services } from '#server/platform/context.ts'
import { defaultPurchaseProofUsd, defaultSessionDays } from '#shared/features/settings/choices.ts'
import { panelSettings } from '#shared/features/settings/schema.ts'
import type { PanelSettings } from '#shared/features/settings/schema.ts'
import { listStored } from './settings.repo.ts'

const keptForMs = 1_000

interface Kept {
  readonly untilMs: number
  readonly settings: Promise<PanelSettings>
}

const keptOf = new WeakMap<Database, Kept>()

/** Changes of this process apply immediately, those of another one within a second. */
export async function getPanelSettings(services: Pick<Services, 'db' | 'clock' | 'registration'>): Promise<PanelSettings> {
  const { db, clock } = services
  const now = clock.now()
  const kept = keptOf.get(db)
  if (kept !== undefined && kept.untilMs > now) return kept.settings
  const settings = readPanelSettings(db.orm, services.registration)
  keptOf.set(db, { untilMs: now + keptForMs, settings })
  try {
    return await settings
  } catch (error) {
    if (keptOf.get(db)?.settings === settings) keptOf.delete(db)
    throw error
  }
}

/** Called after a change: the next reader queries the database. */
export const forgetPanelSettings = (db: Database): boolean => keptOf.delete(db)

/** Bypasses the cache. `registration` is the initial value until someone sets it; open unless configured (R-AUT-03). */
export async function readPanelSettings(db: Queryable, registration: Services['registration']): Promise<PanelSettings> {
  const unset: PanelSettings = {
    registration: registration ?? 'open',
    defaultLanguage: 'browser',
    timeZone: 'UTC',
    twoFactor: 'optional',
    sessionDays: defaultSessionDays,
    activityRetentionDays: 365,
    purchaseProofUsd: defaultPurchaseProofUsd,
  }
  return panelSettings.parse({ ...unset, ...(await listStored(db)) })
}

/** Registration is open only because neither the operator nor an administrator has decided. */
export async function isRegistrationUndecided(db: Queryable, registration: Services['registration']): Promise<boolean> {
  return registration === null && !('registration' in (await listStored(db)))
}
