import type { Ctx } from '#server/platform/context.ts'
import type { DomainSettings } from '#shared/features/domains/schema.ts'
import { updateSettings } from './update-settings.ts'

/**
 * On, it ends by itself after three hours.
 * @throws AppError not_found, setting_not_editable, provider_*
 */
export const setDevelopmentMode = (
  ctx: Ctx,
  { id, enabled }: { readonly id: string; readonly enabled: boolean },
): Promise<{ settings: DomainSettings }> => updateSettings(ctx, { id, developmentMode: enabled })
