import { domainToUnicode } from 'node:url'
import { z } from 'zod'
import { getDomainScope } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type {
  addressDomainsInput,
  addressDomainsOutput,
  AddressSort,
  listAddressesInput,
  listAddressesOutput,
} from '#shared/features/addresses/schema.ts'
import { listGrouped, listDomainIdsBehind, listZonesBehind } from './addresses.repo.ts'

/** The limit of an operation. */
const most = 100_000

const cursors = {
  number: z.object({ by: z.enum(['domains', 'records', 'address']), value: z.union([z.int32(), z.string()]), address: z.string() }),
  name: z.object({ name: z.string(), id: z.uuid() }),
}
const write = (place: object) => Buffer.from(JSON.stringify(place)).toString('base64url')

/** @throws AppError validation_failed for an invalid cursor */
function read<T>(schema: z.ZodType<T>, text: string | undefined): T | null {
  if (text === undefined) return null
  const json = z.string().transform((given, issue): unknown => {
    try {
      return JSON.parse(given)
    } catch {
      issue.addIssue('invalid')
      return z.NEVER
    }
  })
  const parsed = json.pipe(schema).safeParse(Buffer.from(text, 'base64url').toString())
  if (!parsed.success || text.includes('\0'))
    throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }] })
  return parsed.data
}

function placeIn(sort: AddressSort, text: string | undefined) {
  const place = read(cursors.number, text)
  if (place !== null && (place.by !== sort.by || (typeof place.value === 'string') !== (sort.by === 'address'))) {
    throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }] })
  }
  return place
}

/** A page of addresses with their numbers of domains. */
export async function listAddresses(
  ctx: Ctx,
  { ownerId, sort, cursor, limit, search, type }: z.output<typeof listAddressesInput>,
): Promise<z.output<typeof listAddressesOutput>> {
  const scope = await getDomainScope(ctx, { ownerId })
  const { rows, total } = await listGrouped(ctx.db, scope, { search, type, sort, after: placeIn(sort, cursor), limit: limit + 1 })
  const addresses = rows.slice(0, limit)
  const last = addresses.at(-1)
  return {
    addresses,
    total,
    nextCursor: rows.length > limit && last !== undefined ? write({ by: sort.by, value: last[sort.by], address: last.address }) : null,
  }
}

/** A page of the domains of an address, by name. */
export async function listAddressDomains(
  ctx: Ctx,
  { address, ownerId, cursor, limit }: z.output<typeof addressDomainsInput>,
): Promise<z.output<typeof addressDomainsOutput>> {
  const scope = await getDomainScope(ctx, { ownerId })
  const rows = await listZonesBehind(ctx.db, scope, address, { after: read(cursors.name, cursor), limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    domains: shown.map((row) => ({ ...row, displayName: domainToUnicode(row.name) || row.name })),
    nextCursor: rows.length > limit && last !== undefined ? write({ name: last.name, id: last.id }) : null,
  }
}

/** Ids of all domains of an address; the first 100,000 by name. */
export async function selectBehind(ctx: Ctx, { address, ownerId }: { readonly address: string; readonly ownerId?: string | undefined }) {
  return listDomainIdsBehind(ctx.db, await getDomainScope(ctx, { ownerId }), address, most)
}
