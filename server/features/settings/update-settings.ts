import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { PanelSettings } from '#shared/features/settings/schema.ts'
import { forgetPanelSettings, isRegistrationUndecided, readPanelSettings } from './panel-settings.ts'
import { knowsTimeZone, lockSettings, storeSettings } from './settings.repo.ts'

type Changes = { readonly [K in keyof PanelSettings]?: PanelSettings[K] | undefined }

/** Authentication settings, not to be weakened from an unattended browser or by a token. */
const guarded: readonly (keyof PanelSettings)[] = ['twoFactor', 'sessionDays', 'purchaseProofUsd']

/**
 * Changes panel settings; unchanged values do not count.
 * @throws AppError confirmation_needed, session_only, validation_failed for a time zone unknown to the database
 */
export async function updateSettings(ctx: Ctx, input: Changes): Promise<{ settings: PanelSettings; registrationUndecided: boolean }> {
  const answer = await ctx.db.orm.transaction(async (tx) => {
    await lockSettings(tx)
    const before = await readPanelSettings(tx, ctx.registration)
    const after = { ...before, ...given(input) }
    const undecided = await isRegistrationUndecided(tx, ctx.registration)
    // Keeping registration open is a decision too.
    const decides = undecided && input.registration !== undefined
    const changed = keysOf(after).filter((key) => before[key] !== after[key] || (decides && key === 'registration'))
    if (changed.length === 0) return { settings: before, registrationUndecided: undecided }
    if (changed.some((key) => guarded.includes(key))) requireRecentAuth(ctx)
    if (changed.includes('timeZone') && !(await knowsTimeZone(tx, after.timeZone))) {
      throw new AppError('validation_failed', { issues: [{ path: 'timeZone', message: 'invalid_time_zone' }] })
    }
    const pick = (from: PanelSettings) => Object.fromEntries(changed.map((key) => [key, from[key]]))
    await storeSettings(tx, pick(after))
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'settings',
      entityName: 'panel',
      details: { before: pick(before), after: pick(after) },
    })
    return { settings: after, registrationUndecided: undecided && !decides }
  })
  forgetPanelSettings(ctx.db)
  return answer
}

const keysOf = (settings: PanelSettings) => Object.keys(settings) as (keyof PanelSettings)[]

/** Without undefined values. */
const given = (input: Changes): Partial<PanelSettings> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
