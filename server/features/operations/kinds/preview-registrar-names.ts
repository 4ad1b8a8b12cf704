import type { z } from 'zod'
import { connectRegistrar, listHeldNames, listOnRenewal, planAutoRenew } from '#server/features/registrars/index.ts'
import type { ConnectedRegistrar, HeldName, UnheldName } from '#server/features/registrars/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, levelOf, noGrants } from '#server/platform/access-scope.ts'
import type { Money, Quote, RegistrarCall } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { priceRefusal } from '#shared/features/registrars/buying/price-rule.ts'
import type { previewRenewalInput, RenewalPreview } from '#shared/features/registrars/buying/schema.ts'
import type { OperationPreview, previewAutoRenewInput, RegistrarNamesTarget } from '#shared/features/operations/schema.ts'
import { boundDrafts } from '../bound-drafts.ts'
import { onlyAt, placeAt } from './registrar-names.ts'
import type { RenewalWork } from './registrar-names.ts'
import type { Planned } from '../operation-kind.ts'
import { idsOf, keepDraft } from '../preview-operation.ts'
import { listPlanZones } from '../plan-reading.repo.ts'
import { requireMoney, totalsOf } from './purchase-totals.ts'

const call: RegistrarCall = { priority: 'person' }
/** The name is read before and after the renewal, and the price in between. */
const callsToRenew = 5
/** Prices that no price list contains are requested one name per zone, at most this many in a preview. */
const quotesAtMost = 20

type Name = HeldName | UnheldName

/**
 * The selected names without those of domains and registrars that the actor cannot see.
 * @throws AppError no_domains, not_found, level_too_low
 */
async function namesOf(ctx: Ctx, target: RegistrarNamesTarget): Promise<Name[]> {
  const ids = 'nameIds' in target ? target.nameIds : await idsOf(ctx, target)
  if (ids.length === 0) throw new AppError('no_domains')
  const listed = 'nameIds' in target ? await listHeldNames(ctx, target) : []
  const grants = ctx.actor.role === 'admin' ? noGrants : await grantsOf(ctx)
  const zones = (await listPlanZones(ctx.db, ids)).filter((zone) => levelOf(ctx.actor, grants, zone) !== null)
  const names = [...listed, ...(await listHeldNames(ctx, { domainIds: zones.map(({ id }) => id) }))]
  if (names.length === 0) throw new AppError('not_found')
  if (names.every((name) => 'refused' in name && name.refused === 'level_too_low')) throw new AppError('level_too_low')
  // A domain and its entry in a registrar's list are the same name.
  return [...new Map(names.map((name) => [`${'refused' in name ? '' : name.registrarId} ${name.name}`, name])).values()]
}

/** A draft item assigned to its registrar; an excluded one has none. */
const drafted = (name: Name, plan: Planned) => ({
  zone: {
    id: name.domainId,
    name: name.name,
    ...('refused' in name ? nowhere : placeAt({ id: name.registrarId, name: name.registrarName })),
  },
  plan,
})
const nowhere = { accountId: '00000000-0000-0000-0000-000000000000', accountEmail: '', lane: 'nowhere' }

/**
 * Plans switching automatic renewal of these names at their registrars as a draft; sends nothing.
 * @throws AppError not_found, no_domains, nothing_to_do, too_many_attempts
 */
export async function previewAutoRenew(ctx: Ctx, { target, enabled }: z.output<typeof previewAutoRenewInput>): Promise<OperationPreview> {
  await boundDrafts(ctx)
  const names = await namesOf(ctx, target)
  const plans = await planAutoRenew(ctx, names, enabled)
  let unchanged = 0
  const planned = names.flatMap((name, index) => {
    const plan = plans[index]
    if (plan === undefined || 'unchanged' in plan) {
      unchanged += 1
      return []
    }
    if ('refused' in plan) return [drafted(name, plan)]
    const { before, registrar } = plan
    return [
      drafted(name, {
        before: { autoRenew: before },
        after: { autoRenew: enabled },
        dangers: enabled ? [] : ['renewal_stops'],
        ...onlyAt(registrar),
      }),
    ]
  })
  return keepDraft(ctx, { kind: 'auto_renew', input: { enabled } }, [{ planned, unchanged }], null)
}

const zoneOf = (name: string): string => name.slice(name.indexOf('.') + 1)
const groupOf = ({ registrarId, name }: HeldName): string => `${registrarId} ${zoneOf(name)}`

/**
 * The price of each name: from the registrar's price list, or quoted for one name of each zone. This price is confirmed, and each name is
 * compared with it right before payment, so a premium name among ordinary ones is refused then.
 */
async function readPrices(
  names: readonly HeldName[],
  years: number,
  registrars: ReadonlyMap<string, ConnectedRegistrar>,
): Promise<Map<HeldName, Pick<Quote, 'total' | 'years' | 'premium'> | AppError>> {
  const prices = new Map<HeldName, Pick<Quote, 'total' | 'years' | 'premium'> | AppError>()
  const unlisted: HeldName[] = []
  for (const name of names) {
    if (years === 1 && name.renewal !== null) prices.set(name, { total: name.renewal, years, premium: false })
    else unlisted.push(name)
  }
  const groups = [...Map.groupBy(unlisted, groupOf).values()]
  const byRegistrar = Map.groupBy(groups.slice(0, quotesAtMost), ([first]) => first?.registrarId)
  await Promise.all(
    [...byRegistrar.values()].map(async (theirs) => {
      for (const group of theirs) {
        const [first] = group
        const connected = first === undefined ? undefined : registrars.get(first.registrarId)
        if (first?.expiresAt == null || connected === undefined) continue
        const quote = await connected.connection
          .quoteRenewal({ name: first.name, years, expiresAt: first.expiresAt }, call)
          .catch((error: unknown) => {
            if (!(error instanceof AppError)) throw error
            return error
          })
        // A failed or premium quote applies only to its own name.
        const shared = !(quote instanceof AppError) && !quote.premium
        for (const name of shared ? group : [first]) prices.set(name, quote)
      }
    }),
  )
  return prices
}

/**
 * Plans the renewal of these names as a draft, with the cost; pays nothing.
 * @throws AppError not_found, no_domains, too_many_attempts, registrar_money if a balance is too low
 */
export async function previewRenewal(ctx: Ctx, { target, years }: z.output<typeof previewRenewalInput>): Promise<RenewalPreview> {
  await boundDrafts(ctx)
  const names = await namesOf(ctx, target)
  const held = names.filter((name): name is HeldName => !('refused' in name))
  const ids = new Set(held.map(({ registrarId }) => registrarId))
  const registrars = new Map(await Promise.all([...ids].map(async (id) => [id, await connectRegistrar(ctx, id)] as const)))
  const renewing = await listOnRenewal(
    ctx,
    held.map(({ name }) => name),
  )
  const free = held.filter(({ name, expiresAt }) => expiresAt !== null && !renewing.has(name))
  const prices = await readPrices(free, years, registrars)
  const paid: { readonly registrarId: string; readonly price: Money }[] = []
  const planned = names.map((name) => {
    if ('refused' in name) return drafted(name, { refused: name.refused })
    const { expiresAt, registrarId: id, registrarName, provider } = name
    if (expiresAt === null) return drafted(name, { refused: 'registrar_expiry_unknown' })
    if (renewing.has(name.name)) return drafted(name, { refused: 'registrar_ordered' })
    const quote = prices.get(name)
    if (quote instanceof AppError) return drafted(name, { refused: quote.code })
    const { total: price = null, premium = false } = quote ?? {}
    const refusal = quote === undefined || price === null ? 'registrar_price_unknown' : priceRefusal(quote, { price, years, premium })
    if (price === null || refusal !== null) return drafted(name, { refused: refusal ?? 'registrar_price_unknown' })
    paid.push({ registrarId: name.registrarId, price })
    return drafted(name, {
      before: { paidUntil: expiresAt.toISOString() },
      after: { renewal: { price, years } },
      dangers: ['renewal_final', ...(premium ? ['premium_price'] : [])],
      ...onlyAt({ id, name: registrarName, provider, calls: callsToRenew }),
      work: {
        price: { minor: price.minor, currency: price.currency },
        years,
        premium,
        expiresAt: expiresAt.toISOString(),
      } satisfies RenewalWork,
    })
  })
  const totals = await totalsOf(ctx, paid, registrars, call)
  requireMoney(totals)
  return { ...(await keepDraft(ctx, { kind: 'renew', input: { years } }, [{ planned, unchanged: 0 }], null)), totals }
}
