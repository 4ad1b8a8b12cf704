import { updateFromRegistrar } from '#server/features/domains/mirror/index.ts'
import { requestActivationCheck, openZone } from '#server/features/domains/index.ts'
import type { OpenZone } from '#server/features/domains/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevelOfSeen } from '#server/platform/access-scope.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import type { RegistrarCall } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import { accessOf } from '../registrar-credential.ts'
import { getRow } from '../registrars.repo.ts'
import { mayUseRegistrar } from '../set-registrar.ts'
import { previewServersNow } from '../names/servers-now.ts'
import { listAttachedZones, updateNameServers } from '../zone-registrars.repo.ts'
import type { Attached } from '../zone-registrars.repo.ts'

const sorted = (hosts: readonly string[]) => hosts.map((host) => host.toLowerCase()).toSorted()
const same = (one: readonly string[], other: readonly string[]) => one.join(' ') === other.join(' ')

const refusalOf = ({ registrarId, registrarType, assigned }: Attached): ErrorCode | null =>
  registrarId === null
    ? 'registrar_none'
    : registrarType === 'MANUAL'
      ? 'registrar_manual'
      : assigned.length < 2
        ? 'registrar_no_wish'
        : null

type DelegationPlan =
  | { readonly domainId: string; readonly refused: ErrorCode }
  | { readonly domainId: string; readonly unchanged: true }
  | {
      readonly domainId: string
      readonly before: readonly string[] | null
      readonly after: readonly string[]
      readonly registrar: CalledRegistrar
    }
/** The registrar whose rate limit the calls count against. */
export interface CalledRegistrar {
  readonly id: string
  readonly name: string
  readonly provider: RegistrarProvider
  readonly calls: number
}
/** One call reads the current name servers before the other changes them. */
export const callsForNameServers = 2

/**
 * What setting the name servers would change, based on the registrars' lists as last read, or on DNS when those do not report them; nothing is sent
 * to registrars. One plan per existing zone.
 */
export async function planNameServers(ctx: Ctx, domainIds: readonly string[]): Promise<DelegationPlan[]> {
  const rows = await listAttachedZones(ctx.db.orm, domainIds)
  const namesToRead = rows.flatMap((row) => (row.registered === null && refusalOf(row) === null ? [row.name] : []))
  const now = await previewServersNow(ctx, namesToRead)
  return Promise.all(
    rows.map(async (row): Promise<DelegationPlan> => {
      const { domainId } = row
      if (!(await mayUseRegistrar(ctx, row))) return { domainId, refused: 'level_too_low' }
      const refused = refusalOf(row)
      if (refused !== null) return { domainId, refused }
      const served = now.get(row.name)
      const [before, after] = [
        row.registered === null ? (served == null ? null : sorted(served)) : sorted(row.registered),
        sorted(row.assigned),
      ]
      // Use DNS when the registrar's list does not report name servers.
      if (before !== null && same(before, after)) return { domainId, unchanged: true }
      const { registrarId: id, registrarName: name, registrarProvider: provider } = row
      if (id === null || name === null || provider === null || provider === 'OTHER') throw new AppError('internal')
      return { domainId, before, after, registrar: { id, name, provider, calls: callsForNameServers } }
    }),
  )
}

/**
 * Sets the name servers assigned by Cloudflare at the registrar, then asks Cloudflare to check. It reads first, so that a repetition sends nothing.
 * @throws AppError not_found, level_too_low, registrar_none, registrar_manual, registrar_no_wish and any refusal by the registrar
 */
export async function setNameServers(
  ctx: Ctx,
  { id }: { readonly id: string },
  call: RegistrarCall,
  /** Receives the current name servers before they are replaced. */
  keep: (before: readonly string[]) => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly changed: boolean; readonly nameServers: string[] }> {
  const zone = await openZone(ctx, id, 'operate')
  const [attached] = await listAttachedZones(ctx.db.orm, [id])
  if (attached === undefined) throw new AppError('not_found')
  await requireLevelOfSeen(ctx, attached, 'operate')
  const refused = refusalOf(attached)
  if (refused !== null) throw new AppError(refused)
  const row = await getRow(ctx.db.orm, attached.registrarId ?? '')
  const connection = ctx.registrars.connect(accessOf(ctx.secrets, row))
  const before = sorted(await connection.getNameServers(zone.name, call))
  const after = sorted(attached.assigned)
  const changed = !same(before, after)
  if (changed) {
    await keep(before)
    await connection.setNameServers(zone.name, after, call)
  }
  await writeNameServers(ctx, zone, row.id, { before, after })
  await requestActivationCheck(ctx, zone, call)
  return { changed, nameServers: after }
}

async function writeNameServers(
  ctx: Ctx,
  zone: OpenZone,
  registrarId: string,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    await requireClaim()
    await updateNameServers(tx, { registrarId, name: zone.name }, after, new Date(ctx.clock.now()))
    await updateFromRegistrar(tx, registrarId, [zone.name])
    if (same(before, after)) return
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'zone',
      entityId: zone.id,
      entityName: zone.name,
      ownerId: zone.ownerId,
      details: { nameServers: { from: before, to: after } },
    })
    await ctx.events.publish(tx, zone.ownerId, 'registrars')
  })
}

/** The name servers set by an operation, and those it replaced. */
interface ReplacedServers {
  readonly domainId: string
  readonly set: readonly string[]
  readonly before: readonly string[] | null
}

type ReturnPlan = DelegationPlan | { readonly domainId: string; readonly refused: 'nothing_to_take_back' | 'changed_since' }

/** What restoring the earlier name servers would change, one plan each; nothing is sent. */
export async function planServersBack(ctx: Ctx, replaced: readonly ReplacedServers[]): Promise<ReturnPlan[]> {
  const rows = await listAttachedZones(
    ctx.db.orm,
    replaced.map(({ domainId }) => domainId),
  )
  const byZone = new Map(rows.map((row) => [row.domainId, row]))
  return Promise.all(
    replaced.map(async ({ domainId, set, before }): Promise<ReturnPlan> => {
      const row = byZone.get(domainId)
      if (row === undefined) return { domainId, refused: 'not_found' }
      if (!(await mayUseRegistrar(ctx, row))) return { domainId, refused: 'level_too_low' }
      const { registrarId: id, registrarName: name, registrarProvider: provider } = row
      if (id === null || name === null || provider === null) return { domainId, refused: 'registrar_none' }
      if (row.registrarType === 'MANUAL' || provider === 'OTHER') return { domainId, refused: 'registrar_manual' }
      if (before === null || before.length < 2) return { domainId, refused: 'nothing_to_take_back' }
      const now = row.registered === null ? null : sorted(row.registered)
      if (now !== null && same(now, sorted(before))) return { domainId, unchanged: true }
      if (now !== null && !same(now, sorted(set))) return { domainId, refused: 'changed_since' }
      return { domainId, before: sorted(set), after: sorted(before), registrar: { id, name, provider, calls: callsForNameServers } }
    }),
  )
}

/**
 * Restores the earlier name servers at the registrar, unless they have been changed since. It reads first, so that a repetition sends nothing.
 * @returns false when others are set now, which are kept
 * @throws AppError not_found, level_too_low, registrar_none, registrar_manual and any refusal by the registrar
 */
export async function setServersBack(
  ctx: Ctx,
  { id, set, back }: { readonly id: string; readonly set: readonly string[]; readonly back: readonly string[] },
  call: RegistrarCall,
): Promise<boolean> {
  const zone = await openZone(ctx, id, 'operate')
  const [attached] = await listAttachedZones(ctx.db.orm, [id])
  if (attached === undefined) throw new AppError('not_found')
  await requireLevelOfSeen(ctx, attached, 'operate')
  if (attached.registrarId === null) throw new AppError('registrar_none')
  if (attached.registrarType === 'MANUAL') throw new AppError('registrar_manual')
  const connection = ctx.registrars.connect(accessOf(ctx.secrets, await getRow(ctx.db.orm, attached.registrarId)))
  const before = sorted(await connection.getNameServers(zone.name, call))
  const after = sorted(back)
  if (!same(before, after)) {
    if (!same(before, sorted(set))) return false
    await connection.setNameServers(zone.name, after, call)
  }
  await writeNameServers(ctx, zone, attached.registrarId, { before, after })
  return true
}
