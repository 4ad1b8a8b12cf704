import { randomUUID } from 'node:crypto'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { DomainSettings } from '#shared/features/domains/schema.ts'
import type { SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { openZone } from '../access/open-zone.ts'
import { getDomainSettings } from '../get-domain.ts'
import { applySettings } from './apply-settings.ts'
import type { AppliedSettings } from './apply-settings.ts'

/** The first refusal with its setting; `applied` and `refused` report the others. */
function refusalOf({ applied, refused }: AppliedSettings): AppError | null {
  const [first] = refused
  if (first === undefined) return null
  const { error } = first
  return new AppError(error.code, {
    params: {
      ...error.params,
      setting: first.key,
      refused: refused.map(({ key }) => key).join(','),
      applied: applied.map(({ key }) => key).join(','),
    },
    ...(error.provider === undefined ? {} : { provider: error.provider }),
    cause: error,
  })
}

/**
 * Accepted settings stay even if the provider refuses another one.
 * @throws AppError not_found, setting_not_editable, provider_*; the parameters `setting`, `refused` and `applied` report which
 */
export async function updateSettings(
  ctx: Ctx,
  { id, ...patch }: SettingsPatch & { readonly id: string },
): Promise<{ settings: DomainSettings }> {
  const zone = await openZone(ctx, id)
  const result = await applySettings(ctx, zone, patch, { priority: 'person', source: 'panel', batchId: randomUUID() })
  const refusal = refusalOf(result)
  if (refusal !== null) throw refusal
  return getDomainSettings(ctx, id)
}

/**
 * Once on, it expires after three hours.
 * @throws AppError not_found, setting_not_editable, provider_*
 */
export const setDevelopmentMode = (
  ctx: Ctx,
  { id, enabled }: { readonly id: string; readonly enabled: boolean },
): Promise<{ settings: DomainSettings }> => updateSettings(ctx, { id, developmentMode: enabled })
