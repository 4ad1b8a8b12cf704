import { requireZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { registrableName } from '#shared/features/domains/creation/zone-name.ts'
import { registryFault } from '#shared/features/registrars/registry/schema.ts'
import type { DomainRegistry, RegistryView } from '#shared/features/registrars/registry/schema.ts'
import { readRegistry, publishRegistryDates } from './read-registry.ts'
import { findName, findPaid } from './registry.repo.ts'
import type { PaidRow, RegistryRow } from './registry.repo.ts'

/** A repeated request within this time gets the same result. */
const freshMs = 30_000

const iso = (written: string | null): string | null => (written === null ? null : new Date(written).toISOString())

const unread: Omit<RegistryView, 'name'> = {
  state: 'unread',
  expiresAt: null,
  statuses: [],
  registrar: null,
  nameServers: [],
  readAt: null,
  fault: null,
  nextAt: null,
}

function toView(name: string, row: RegistryRow | null): RegistryView {
  if (row === null) return { name, ...unread }
  return {
    name,
    state: row.state ?? (row.failures > 0 ? 'unreachable' : 'unread'),
    expiresAt: iso(row.expiresAt),
    statuses: row.statuses,
    registrar: row.registrar,
    nameServers: row.nameServers,
    readAt: iso(row.readAt),
    fault: registryFault.nullable().catch(null).parse(row.fault),
    nextAt: row.wanted ? iso(row.dueAt) : null,
  }
}

function toPaid({ paidUntil: until, paidByRegistry: byRegistry, readAt, registrar }: PaidRow): DomainRegistry['paid'] {
  if (until === null || readAt === null) return null
  const [at, read] = [new Date(until).toISOString(), new Date(readAt).toISOString()]
  return { until: at, source: byRegistry ? 'registry' : 'registrar', readAt: read, registrar }
}

async function getOf(ctx: Ctx, id: string) {
  const row = await findPaid(ctx.db.orm, id)
  if (row === null) throw new AppError('not_found')
  return row
}

/**
 * A domain's expiry with its source and age, and the last registry response. Nothing is queried. Visible to the owner, like all registrar data.
 * @throws AppError not_found, level_too_low
 */
export async function getRegistryOf(ctx: Ctx, { id }: { readonly id: string }): Promise<DomainRegistry> {
  await requireZone(ctx, id, 'own')
  const zone = await getOf(ctx, id)
  return { paid: toPaid(zone), registry: toView(registrableName(zone.name), await findName(ctx.db.orm, zone.name)) }
}

/**
 * Queries the domain's registry now and returns the result, or why there is none.
 * @throws AppError not_found, level_too_low
 */
export async function askRegistry(ctx: Ctx, { id }: { readonly id: string }): Promise<DomainRegistry> {
  await requireZone(ctx, id, 'own')
  const { name } = await getOf(ctx, id)
  const known = await findName(ctx.db.orm, name)
  const ageMs = known?.readAt == null ? Infinity : ctx.clock.now() - Date.parse(known.readAt)
  if (ageMs >= freshMs || known?.fault != null) {
    const { changedOwners } = await readRegistry(ctx, name, { priority: 'person', signal: ctx.stopping })
    await publishRegistryDates(ctx, changedOwners)
  }
  return getRegistryOf(ctx, { id })
}
