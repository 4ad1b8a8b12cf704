import type { Ctx } from '#server/platform/context.ts'
import type { CreateZoneInput, CreateZoneOutput } from '#shared/features/domains/creation/schema.ts'
import { getDomain } from '../get-domain.ts'
import { addZone } from './add-zone.ts'

/**
 * Adds one domain while the user waits.
 * @throws AppError like `addZone`
 */
export async function createZone(ctx: Ctx, input: CreateZoneInput): Promise<CreateZoneOutput> {
  const { zone, problems } = await addZone(ctx, input, { priority: 'person', source: 'panel' })
  return {
    zone: await getDomain(ctx, zone.id).then(({ zone: shown }) => shown),
    problems: problems.map(({ part, error }) => ({ part, code: error.code, message: error.provider?.message ?? null })),
  }
}
