import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { settingsBatchOutput } from '#shared/features/domains/settings/schema.ts'
import { listDomainSettings } from '../get-domain.ts'

/** The settings of many zones as last read, in the requested order; each unknown or inaccessible zone is reported individually. */
export async function listSettings(
  ctx: Ctx,
  { zoneIds }: { readonly zoneIds: readonly string[] },
): Promise<z.infer<typeof settingsBatchOutput>> {
  const known = await listDomainSettings(ctx, zoneIds)
  const results = zoneIds.map((zoneId) => {
    const settings = known.get(zoneId)
    return settings === undefined ? { zoneId, error: { code: 'not_found', message: 'Not found' } } : { zoneId, settings }
  })
  return { results }
}
