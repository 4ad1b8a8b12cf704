import type { z } from 'zod'
import { askNames, connectRegistrar, getRegistrant, listOnOrder } from '#server/features/registrars/index.ts'
import { planNewBinding } from '#server/features/trackers/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Availability, RegistrarCall } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { priceRefusal } from '#shared/features/registrars/buying/price-rule.ts'
import type {
  purchaseAnswer,
  purchaseInput,
  PurchasePreview,
  purchaseRequest,
  PurchaseTotal,
  wantedName,
} from '#shared/features/registrars/buying/schema.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import { parseZoneName } from '#shared/features/domains/creation/zone-name.ts'
import { startOperation } from '../control-operation.ts'
import { atTracker } from '../estimate.policy.ts'
import type { BuyInput, BuyWork } from './buy.ts'
import { previewCreate } from './preview-create.ts'
import { requireMoney, totalsOf } from './purchase-totals.ts'

type Wanted = z.output<typeof wantedName>
const call: RegistrarCall = { priority: 'person' }

/** The price is read before the order. GoDaddy's order is read again afterwards. */
const callsToBuy: Readonly<Record<RegistrarProvider, number>> = { NAMECHEAP: 3, GODADDY: 3, PORKBUN: 2, REGRU: 3 }

/** Why a name cannot be bought as confirmed, by the same rule that the order applies again; null if it can. */
function refusalOf(confirmed: Wanted, answer: Availability | undefined): ErrorCode | null {
  if (answer?.state === 'taken') return 'registrar_name_taken'
  if (answer?.state === 'unsupported') return answer.onWebsite === true ? 'registrar_website_only' : 'registrar_not_sold'
  if (answer?.state !== 'available') return 'registrar_unsure'
  const { years } = confirmed
  const longer = answer.longer.find((term) => term.years === years)
  const quoted = longer === undefined ? { years: answer.years, total: answer.price } : { years, total: longer.price }
  return priceRefusal({ ...quoted, premium: answer.premium }, confirmed)
}

type Offer = Availability & { readonly state: 'available' }

/**
 * Plans the purchase of these names and the creation of their domains as a draft, with the cost; orders nothing (R-BUY-02).
 * @throws AppError not_found for objects that do not exist or belong to different users, registrar_manual, registrar_money if a balance is
 * too low, and the errors of a registrar
 */
export async function previewPurchase(ctx: Ctx, input: z.output<typeof purchaseInput>): Promise<PurchasePreview> {
  const { names, contactId, privacy, autoRenew, tracker = null, ...creation } = input
  const ids = [...new Set(names.map(({ registrarId }) => registrarId))]
  const registrars = new Map(await Promise.all(ids.map(async (id) => [id, await connectRegistrar(ctx, id)] as const)))
  const [ownerId, ...others] = new Set([...registrars.values()].map(({ registrar }) => registrar.ownerId))
  if (ownerId === undefined || others.length > 0) throw new AppError('not_found')
  await getRegistrant(ctx, contactId, ownerId)
  const binding = tracker === null ? null : await planNewBinding(ctx, ownerId, tracker)

  // The first line of a name counts; later ones are refused as repeated.
  const wanted = new Map<string, Wanted>()
  for (const line of names) {
    const parsed = parseZoneName(line.name)
    if ('name' in parsed && !wanted.has(parsed.name)) wanted.set(parsed.name, line)
  }
  const offers = new Map<string, Offer>()
  let totals: PurchaseTotal[] = []
  const own: Omit<BuyInput, 'domains' | keyof typeof creation> = { contactId, privacy, autoRenew, tracker, endUserIp: ctx.address ?? '' }
  const preview = await previewCreate(
    ctx,
    { ...creation, domains: names.map(({ name, registrarId }) => ({ name, registrarId })) },
    {
      kind: 'buy',
      input: own,
      async refuse(asked) {
        const refusals = new Map<string, string>()
        for (const [id, connected] of registrars) {
          const theirs = asked.filter((name) => wanted.get(name)?.registrarId === id)
          const answers = await askNames(ctx, connected, theirs, call)
          for (const name of theirs) {
            const [line, answer] = [wanted.get(name), answers.get(name)]
            const refusal = line === undefined ? 'registrar_unsure' : refusalOf(line, answer)
            if (refusal !== null) refusals.set(name, refusal)
            else if (answer?.state === 'available') offers.set(name, answer)
          }
        }
        for (const name of await listOnOrder(ctx, [...offers.keys()])) refusals.set(name, 'registrar_ordered')
        const bought = [...offers].flatMap(([name, offer]) => {
          const line = wanted.get(name)
          return line === undefined || refusals.has(name)
            ? []
            : [{ registrarId: line.registrarId, price: line.price, renewal: offer.renewal }]
        })
        totals = await totalsOf(ctx, bought, registrars, call)
        requireMoney(totals)
        return refusals
      },
      of(name) {
        const [line, offer] = [wanted.get(name), offers.get(name)]
        if (line === undefined || offer === undefined) throw new AppError('internal')
        const { registrarId, price, years } = line
        const provider = registrars.get(registrarId)?.registrar.provider
        const work: BuyWork = { registrarId, price, years, premium: offer.premium }
        return {
          work,
          after: {
            purchase: { price, years, renewal: offer.renewal, premium: offer.premium },
            ...(binding === null ? {} : { binding: binding.after }),
          },
          dangers: ['purchase_final', ...(offer.premium ? ['premium_price'] : [])],
          calls: provider === undefined ? 0 : callsToBuy[provider],
          called: binding === null ? [] : [atTracker({ ...binding.tracker, calls: 1 })],
        }
      },
    },
  )
  return { ...preview, totals }
}

/** For tools: plans and starts in one call; with `preview` only plans. */
export async function purchase(ctx: Ctx, { preview, ...input }: z.output<typeof purchaseRequest>): Promise<z.infer<typeof purchaseAnswer>> {
  const plan = await previewPurchase(ctx, input)
  if (preview) return { preview: plan, operation: plan.operation }
  return startOperation(ctx, { id: plan.operation.id })
}
