import { domainToUnicode } from 'node:url'
import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Expiry, listExpiriesInput, listExpiriesOutput, Renewals, renewalsInput } from '#shared/features/registrars/schema.ts'
import { scopeOf } from '../list-registrars.ts'
import { countByDay, countOthers, listByExpiry, listEnough } from './renewals.repo.ts'
import type { ExpiryRow } from './renewals.repo.ts'

const dayMs = 86_400_000

/** Expiries and the cost of renewal by month and currency; in UTC, as registries count. */
export async function listRenewals(ctx: Ctx, { ownerId, months: ahead }: z.output<typeof renewalsInput>): Promise<Renewals> {
  const scope = await scopeOf(ctx, ownerId)
  const now = new Date(ctx.clock.now())
  const monthOf = (index: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index, 1))
  const [rows, others, enough] = await Promise.all([
    countByDay(ctx.db.orm, scope, now, monthOf(ahead)),
    countOthers(ctx.db.orm, scope, now),
    listEnough(ctx.db.orm, scope),
  ])
  const months = Array.from({ length: ahead }, (_, index) => {
    const month = monthOf(index).toISOString().slice(0, 10)
    const mine = rows.filter(({ day }) => day.startsWith(month.slice(0, 7)))
    const costs = new Map<string, number>()
    for (const { currency, minor } of mine) if (currency !== null) costs.set(currency, (costs.get(currency) ?? 0) + minor)
    const count = (some: typeof mine) => some.reduce((sum, { names }) => sum + names, 0)
    return {
      month,
      names: count(mine),
      costs: [...costs].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([currency, minor]) => ({ currency, minor })),
      unpriced: count(mine.filter(({ currency }) => currency === null)),
    }
  })
  const days = Map.groupBy(rows, ({ day }) => day)
  return {
    months,
    days: [...days].map(([day, some]) => ({ day, names: some.reduce((sum, { names }) => sum + names, 0) })),
    ...others,
    balances: enough.map(({ id, name, provider, minor, currency, at, names, enough: enoughFor, priced }) => ({
      registrarId: id,
      name,
      provider,
      balance: minor === null || currency === null ? null : { minor, currency },
      balanceAt: at === null ? null : new Date(at).toISOString(),
      enoughFor: minor === null || priced === 0 ? null : enoughFor,
      names,
    })),
  }
}

const readCursor = (cursor: string | undefined) => {
  if (cursor === undefined) return null
  const [at = '', id = ''] = cursor.split(' ')
  if (Number.isNaN(Date.parse(at)) || !/^[\da-f-]{36}$/.test(id)) {
    throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }] })
  }
  return { at, id }
}

const registrarOf = ({ registrarId: id, registrarName: name, provider }: ExpiryRow): Expiry['registrar'] =>
  id === null || name === null || provider === null ? null : { id, name, provider }

const toExpiry = (row: ExpiryRow): Expiry => ({
  id: row.id,
  name: row.name,
  displayName: domainToUnicode(row.name) || row.name,
  expiresAt: new Date(row.expiresAt).toISOString(),
  autoRenew: row.autoRenew,
  renewal: row.renewalMinor === null || row.renewalCurrency === null ? null : { minor: row.renewalMinor, currency: row.renewalCurrency },
  registrar: registrarOf(row),
  heldBy: row.heldBy,
  zoneId: row.domainId,
  source: row.source,
  readAt: new Date(row.readAt).toISOString(),
})

/** Names by expiry, as reported by their registrars or else their registries. @throws AppError validation_failed for an invalid cursor */
export async function listExpiries(ctx: Ctx, input: z.output<typeof listExpiriesInput>): Promise<z.output<typeof listExpiriesOutput>> {
  const { ownerId, from, to, cursor, limit } = input
  const rows = await listByExpiry(ctx.db.orm, {
    scope: await scopeOf(ctx, ownerId),
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(Date.parse(to) + dayMs),
    after: readCursor(cursor),
    limit,
  })
  const last = rows.at(-1)
  const expiries = rows.map(toExpiry)
  return {
    expiries,
    nextCursor: last === undefined || rows.length < limit ? null : `${new Date(last.expiresAt).toISOString()} ${last.id}`,
  }
}
