import { z } from 'zod'
import {
  attachToRegistrar,
  listAttachedZones,
  listNamed,
  mayUseRegistrar,
  planNameServers,
  planServersBack,
  setNameServers,
  setServersBack,
} from '#server/features/registrars/index.ts'
import { previewDs } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { nothingRequest, registrarRequest } from '#shared/features/operations/requests.ts'
import { atRegistrar } from '../estimate.policy.ts'
import type { DomainOperationKind, DoneItem, DraftedZone, Outcome, RunItem } from '../operation-kind.ts'
import { noteProgress } from '../run-items.repo.ts'
import { findResult, listResults, markUndoneAt } from './undo-zones.repo.ts'

const zoneOf = ({ domainId }: RunItem): string => {
  if (domainId === null) throw new AppError('not_found')
  return domainId
}

/** Records where the domains were bought (R-DOM-10); sends nothing. */
export const registrar: DomainOperationKind<{ registrarId: string | null }> = {
  input: registrarRequest,
  async plan(ctx, zones, { registrarId }) {
    const { orm } = ctx.db
    const target = registrarId === null ? null : ((await listNamed(orm, [registrarId])).get(registrarId) ?? null)
    const known = target === null ? null : await findLevel(ctx, { ownerId: target.ownerId, registrarId })
    const usable = target !== null && (await mayUseRegistrar(ctx, { ownerId: target.ownerId, registrarId }))
    const rows = await listAttachedZones(
      orm,
      zones.map(({ id }) => id),
    )
    const now = new Map(rows.map((row) => [row.domainId, row]))
    return Promise.all(
      zones.map(async ({ id, ownerId }) => {
        if (registrarId !== null && known === null) return { refused: 'not_found' }
        if (target !== null && target.ownerId !== ownerId) return { refused: 'registrar_other_owner' }
        const row = now.get(id)
        if ((target !== null && !usable) || (row != null && row.registrarId !== null && !(await mayUseRegistrar(ctx, row))))
          return { refused: 'level_too_low' }
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

/** Sets the name servers that Cloudflare assigned at each domain's registrar (R-REG-05). */
export const nameServers: DomainOperationKind<object> = {
  input: nothingRequest,
  async plan(ctx, zones) {
    const plans = await planNameServers(
      ctx,
      zones.map(({ id }) => id),
    )
    const byZone = new Map(plans.map((plan) => [plan.domainId, plan]))
    const changing = zones.filter(({ id }) => {
      const plan = byZone.get(id)
      return plan !== undefined && 'after' in plan
    })
    const published = await previewDs(ctx, changing)
    return zones.map(({ id }) => {
      const plan = byZone.get(id)
      if (plan === undefined) return { refused: 'not_found' }
      if ('refused' in plan || 'unchanged' in plan) return plan
      const { before, after, registrar: called } = plan
      // Cloudflare does not sign with the key of the record.
      const dangers = published.get(id) === 'different' ? ['ds_of_other_key'] : []
      return { before: { nameServers: before }, after: { nameServers: after }, dangers, calls: 0, called: [atRegistrar(called)] }
    })
  },
  async run(ctx, item, _input, signal) {
    // Stored first, so that they can be restored after a crash.
    const keep = (replaced: readonly string[]) => noteProgress(ctx.db.orm, item, { replaced })
    const { changed, nameServers } = await setNameServers(ctx, { id: zoneOf(item) }, { priority: 'bulk', signal }, keep)
    const { replaced } = kept.parse((await findResult(ctx.db, item.operationId, item.position)) ?? {})
    // An earlier attempt may have set them.
    return { state: 'done', result: { nameServers, ...(replaced !== undefined && (changed || item.attempt > 1) ? { replaced } : {}) } }
  },
  planUndo: planServersAgain,
}

const kept = z.looseObject({ nameServers: z.array(z.string()).optional(), replaced: z.array(z.string()).optional() })
export const serversWork = z.object({ back: z.int(), set: z.array(z.string()), servers: z.array(z.string()) })

/** Restores the earlier name servers where the registrar still has those that the operation set. */
async function planServersAgain(ctx: Ctx, { id: operationId }: { readonly id: string }, done: readonly DoneItem[]): Promise<DraftedZone[]> {
  const results = await listResults(ctx.db, operationId)
  const known = done.map((item) => {
    const { nameServers = [], replaced = null } = kept.safeParse(results.get(item.position)).data ?? {}
    return { item, domainId: item.domainId ?? '', set: nameServers, before: replaced }
  })
  const plans = await planServersBack(
    ctx,
    known.filter(({ item }) => item.domainId !== null),
  )
  const byZone = new Map(plans.map((plan) => [plan.domainId, plan]))
  const changing = plans.flatMap((plan) => ('after' in plan ? [plan.domainId] : []))
  const names = new Map(known.map(({ domainId, item }) => [domainId, item.name]))
  const published = await previewDs(
    ctx,
    changing.map((id) => ({ id, name: names.get(id) ?? '' })),
  )
  const hasDs = (id: string) => published.get(id) === 'published' || published.get(id) === 'different'
  return known.flatMap(({ item: { position, domainId: id, ...zone }, domainId }): DraftedZone[] => {
    const plan = byZone.get(domainId)
    if (plan === undefined) return [{ zone: { ...zone, id }, plan: { refused: 'not_found' } }]
    if ('unchanged' in plan || 'refused' in plan) return [{ zone: { ...zone, id }, plan }]
    const { before, after, registrar: called } = plan
    return [
      {
        zone: { ...zone, id },
        plan: {
          before: { nameServers: before },
          after: { nameServers: after },
          dangers: ['leaves_cloudflare', ...(hasDs(domainId) ? ['ds_stays'] : [])],
          calls: 0,
          called: [atRegistrar(called)],
          work: { back: position, set: [...(before ?? [])], servers: [...after] } satisfies z.infer<typeof serversWork>,
        },
      },
    ]
  })
}

/** Runs the plan of `planServersAgain`. */
export async function undoServers(
  ctx: Ctx,
  item: RunItem,
  undoOf: string,
  { back, set, servers }: z.infer<typeof serversWork>,
  signal: AbortSignal,
): Promise<Outcome> {
  if (!(await setServersBack(ctx, { id: zoneOf(item), set, back: servers }, { priority: 'bulk', signal })))
    return { state: 'skipped', code: 'changed_since' }
  await markUndoneAt(ctx.db, undoOf, back)
  return { state: 'done', result: { nameServers: servers } }
}
