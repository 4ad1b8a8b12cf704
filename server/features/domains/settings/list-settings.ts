import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { settingsBatchOutput } from '#shared/features/domains/settings/schema.ts'
import { listDomainSettings } from '../get-domain.ts'

/** The settings of many zones as last read, in the requested order; each unknown or inaccessible zone is reported individually. */
export async function listSettings(
  ctx: Ctx,
  { zoneIds: domainIds }: { readonly zoneIds: readonly string[] },
): Promise<z.infer<typeof settingsBatchOutput>> {
  const known = await listDomainSettings(ctx, domainIds)
  const results = domainIds.map((domainId) => {
    const settings = known.get(domainId)
    return settings === undefined
      ? { zoneId: domainId, error: { code: 'not_found', message: 'Not found' } }
      : { zoneId: domainId, settings }
  })
  return { results }
}
