import { attachToRegistrar, listAttachedZones, listNamed, planNameServers, setNameServers } from '#server/features/registrars/index.ts'
import { findLevel } from '#server/platform/reach.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { nothingRequest, registrarRequest } from '#shared/features/operations/schema.ts'
import { atRegistrar } from '../estimate.policy.ts'
import type { OperationKind, RunItem } from '../operation-kind.ts'

const zoneOf = ({ zoneId }: RunItem): string => {
  if (zoneId === null) throw new AppError('not_found')
  return zoneId
}

/** Where the domains were bought (R-DOM-10); nothing is sent. */
export const registrar: OperationKind<{ registrarId: string | null }> = {
  name: 'registrar',
  input: registrarRequest,
  async plan(ctx, zones, { registrarId }) {
    const { orm } = ctx.db
    const target = registrarId === null ? null : ((await listNamed(orm, [registrarId])).get(registrarId) ?? null)
    const known = target !== null && (await findLevel(ctx, { ownerId: target.ownerId })) === 'own'
    const rows = await listAttachedZones(
      orm,
      zones.map(({ id }) => id),
    )
    const now = new Map(rows.map((row) => [row.zoneId, row]))
    return Promise.all(
      zones.map(async ({ id, ownerId }) => {
        if ((await findLevel(ctx, { ownerId })) !== 'own') return { refused: 'level_too_low' }
        if (registrarId !== null && !known) return { refused: 'not_found' }
        if (target !== null && target.ownerId !== ownerId) return { refused: 'registrar_other_owner' }
        const row = now.get(id)
        if ((row?.registrarId ?? null) === registrarId) return { unchanged: true }
        return {
          before: { registrar: row?.registrarName ?? null, settings: {}, records: [] },
          after: { registrar: target?.name ?? null, settings: {}, records: [] },
          dangers: [],
          calls: 0,
        }
      }),
    )
  },
  async run(ctx, item, { registrarId }) {
    await attachToRegistrar(ctx, { id: zoneOf(item), registrarId }, { source: 'operation', batchId: item.operationId })
    return { state: 'done' }
  },
}

/** Each domain's registrar is told the name servers that Cloudflare gave it (R-REG-05). */
export const nameServers: OperationKind<object> = {
  name: 'name_servers',
  input: nothingRequest,
  async plan(ctx, zones) {
    const plans = await planNameServers(
      ctx,
      zones.map(({ id }) => id),
    )
    const byZone = new Map(plans.map((plan) => [plan.zoneId, plan]))
    return zones.map(({ id }) => {
      const plan = byZone.get(id)
      if (plan === undefined) return { refused: 'not_found' }
      if ('refused' in plan || 'unchanged' in plan) return plan
      const { before, after, registrar: called } = plan
      return { before: { nameServers: before }, after: { nameServers: after }, dangers: [], calls: 0, called: [atRegistrar(called)] }
    })
  },
  async run(ctx, item, _input, signal) {
    const { nameServers } = await setNameServers(ctx, { id: zoneOf(item) }, { priority: 'bulk', signal })
    return { state: 'done', result: { nameServers } }
  },
}
