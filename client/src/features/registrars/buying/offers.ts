import type { AvailabilityView, PurchaseInput } from '#shared/features/registrars/buying/schema.ts'
import type { MoneyView, Registrar } from '#shared/features/registrars/schema.ts'

/**
 * The most names in one check or purchase: the server's limit (`shared/features/registrars/buying/schema.ts`), repeated here because that file
 * imports zod.
 */
export const namesAtMost = 500

type AvailableOffer = Extract<AvailabilityView, { state: 'available' }>
/** The price for the requested term. */
type Available = AvailableOffer & {
  /** The longest available term if it is shorter than requested; then there is no price. */
  readonly onlyFor?: number
}
/** The result of one registrar for a name. */
export type Offer = Exclude<AvailabilityView, AvailableOffer> | Available
/** An offer with a price, which can be selected. */
export type Priced = Available & { readonly price: MoneyView }

export interface OfferRow {
  /** Punycode in lower case. */
  readonly name: string
  readonly displayName: string
  /** By registrar; absent: no answer yet. */
  readonly offers: ReadonlyMap<string, Offer>
  readonly state: RowState
  /** The preselected registrar; null: none. */
  readonly best: string | null
}
/** `waiting`: no offer yet, and some registrars have not answered. */
type RowState = 'available' | 'premium' | 'taken' | 'unsupported' | 'unknown' | 'waiting'

export const isPriced = (offer: Offer | undefined): offer is Priced => offer?.state === 'available' && offer.price !== null

/** The offer for at least this term: a name that is not sold for less is offered for its shortest term. */
function offerFor(offer: Offer, years: number): Offer {
  if (!isPriced(offer) || offer.years >= years) return offer
  const longer = offer.longer.find((term) => term.years === years)
  return longer === undefined
    ? { ...offer, price: null, onlyFor: offer.longer.at(-1)?.years ?? offer.years }
    : { ...offer, years, price: { ...offer.price, minor: longer.minor } }
}

/**
 * The cheapest in its currency, and among equal prices the cheapest renewal; across currencies, which are not comparable, that of the first
 * registrar.
 */
export function bestOffer(offers: ReadonlyMap<string, Offer>, registrarIds: readonly string[]): string | null {
  const open = registrarIds.flatMap((id) => {
    const offer = offers.get(id)
    if (!isPriced(offer) || offer.premium) return []
    const { price, renewal, years } = offer
    return [{ id, price, perYear: price.minor / years, later: renewal?.minor ?? Number.POSITIVE_INFINITY }]
  })
  const currency = open[0]?.price.currency
  const comparable = open.filter(({ price }) => price.currency === currency)
  return (
    comparable.toSorted((one, other) => one.perYear - other.perYear || (one.later === other.later ? 0 : one.later - other.later))[0]?.id ??
    null
  )
}

function stateOf(
  offers: ReadonlyMap<string, Offer>,
  registrarIds: readonly string[],
  isAsking: (registrarId: string) => boolean,
): RowState {
  const available = registrarIds.flatMap((id) => offers.get(id) ?? [])
  if (available.some((offer) => offer.state === 'available' && !offer.premium)) return 'available'
  if (available.some((offer) => offer.state === 'available')) return 'premium'
  const silent = registrarIds.filter((id) => !offers.has(id))
  if (silent.some(isAsking)) return 'waiting'
  if (available.some(({ state }) => state === 'taken')) return 'taken'
  // A registrar that failed before this name gave no answer.
  return silent.length > 0 || available.some(({ state }) => state === 'unknown') ? 'unknown' : 'unsupported'
}

export function rowOf(
  { name, displayName }: { readonly name: string; readonly displayName: string },
  registrarIds: readonly string[],
  offerOf: (registrarId: string, name: string) => Offer | undefined,
  /** Whether an answer is still expected; a failed registrar gives none. */
  isAsking: (registrarId: string) => boolean,
  years: number,
): OfferRow {
  const offers = new Map(
    registrarIds.flatMap((id) => {
      const offer = offerOf(id, name)
      return offer === undefined ? [] : [[id, offerFor(offer, years)] as const]
    }),
  )
  // Not every registrar reports premium names; a name that one calls premium is expensive at the others too.
  if ([...offers.values()].some((offer) => offer.state === 'available' && offer.premium)) {
    for (const [id, offer] of offers) if (offer.state === 'available') offers.set(id, { ...offer, premium: true })
  }
  return { name, displayName, offers, state: stateOf(offers, registrarIds, isAsking), best: bestOffer(offers, registrarIds) }
}

/** Manual choices. */
export interface Choices {
  /** Whether names without a manual choice are included. */
  readonly all: boolean
  readonly included: ReadonlyMap<string, boolean>
  /** By name; a premium price is accepted as shown. */
  readonly picks: ReadonlyMap<string, { readonly registrarId: string; readonly agreed: MoneyView | null }>
}
export const noChoices: Choices = { all: true, included: new Map(), picks: new Map() }

export interface Taken {
  readonly row: OfferRow
  readonly registrarId: string
  readonly offer: Priced
}

const same = (one: MoneyView | null, other: MoneyView): boolean => one?.minor === other.minor && one.currency === other.currency

/** The effective offer of a name, included or not; a premium one only at the accepted price. */
export function currentOffer(row: OfferRow, { picks }: Choices): Taken | null {
  const pick = picks.get(row.name)
  const pickedOffer = pick === undefined ? undefined : row.offers.get(pick.registrarId)
  if (pick !== undefined && isPriced(pickedOffer) && (!pickedOffer.premium || same(pick.agreed, pickedOffer.price))) {
    return { row, registrarId: pick.registrarId, offer: pickedOffer }
  }
  const best = row.best === null ? undefined : row.offers.get(row.best)
  return row.best !== null && isPriced(best) ? { row, registrarId: row.best, offer: best } : null
}

export const isIncluded = (name: string, { all, included }: Choices): boolean => included.get(name) ?? all

/** The included names. */
export const takenOf = (rows: readonly OfferRow[], choices: Choices): readonly Taken[] =>
  rows.flatMap((row) => (isIncluded(row.name, choices) ? (currentOffer(row, choices) ?? []) : []))

/** The total of one registrar in one currency. */
export interface Sum {
  readonly registrarId: string
  readonly names: number
  readonly total: MoneyView
  /** Per year; null: not reported for every name. */
  readonly renewal: MoneyView | null
}

export function sumsOf(taken: readonly Taken[]): readonly Sum[] {
  const sums = new Map<string, Sum>()
  for (const { registrarId, offer } of taken) {
    const { minor, currency } = offer.price
    const key = `${registrarId} ${currency}`
    const before = sums.get(key) ?? {
      registrarId,
      names: 0,
      total: { minor: 0, currency },
      renewal: { minor: 0, currency },
    }
    sums.set(key, {
      registrarId,
      names: before.names + 1,
      total: { minor: before.total.minor + minor, currency },
      renewal:
        before.renewal === null || offer.renewal?.currency !== currency
          ? null
          : { minor: before.renewal.minor + offer.renewal.minor, currency },
    })
  }
  return [...sums.values()]
}

/** Null: not comparable. */
export const isEnough = (total: MoneyView, balance: MoneyView | null): boolean | null =>
  balance === null || balance.currency !== total.currency ? null : balance.minor >= total.minor

export const orderedNames = (taken: readonly Taken[]): PurchaseInput['names'] =>
  taken.map(({ row, registrarId, offer: { price, years, premium } }) => ({ name: row.name, registrarId, price, years, premium }))

/** Another registrar that sells all of these names for the same term. */
interface Alternative {
  readonly registrarId: string
  readonly total: MoneyView
}

/**
 * Alternatives for names whose registrar has too low a balance: registrars that offer all of them, none as premium, and whose balance, if known,
 * also covers what is already bought there. Cheapest first in the currency of the names, then other currencies.
 */
export function alternativesFor(
  short: Pick<Sum, 'registrarId' | 'total'>,
  taken: readonly Taken[],
  registrarIds: readonly string[],
  balanceOf: (registrarId: string) => MoneyView | null,
): readonly Alternative[] {
  const own = taken.filter(({ registrarId, offer }) => registrarId === short.registrarId && offer.price.currency === short.total.currency)
  const found = registrarIds.flatMap((registrarId): Alternative[] => {
    if (registrarId === short.registrarId) return []
    const moved = own.flatMap(({ row, offer }): Taken[] => {
      const other = row.offers.get(registrarId)
      return isPriced(other) && !other.premium && other.years === offer.years ? [{ row, registrarId, offer: other }] : []
    })
    const [sum, ...more] = sumsOf(moved)
    if (sum === undefined || more.length > 0 || moved.length < own.length) return []
    const there = sumsOf(taken).find((each) => each.registrarId === registrarId && each.total.currency === sum.total.currency)
    const minor = sum.total.minor + (there?.total.minor ?? 0)
    return isEnough({ ...sum.total, minor }, balanceOf(registrarId)) === false ? [] : [{ registrarId, total: sum.total }]
  })
  const foreign = ({ total }: Alternative) => Number(total.currency !== short.total.currency)
  return found.toSorted((one, other) => foreign(one) - foreign(other) || one.total.minor - other.total.minor)
}

type Seller = Pick<Registrar, 'id' | 'name' | 'health'>

const isBroken = ({ health }: Seller): boolean => health === 'auth_error' || health === 'api_error'

/** Working registrars first, then by name. */
export const inOrder = <S extends Seller>(some: readonly S[]): readonly S[] =>
  some.toSorted((one, other) => Number(isBroken(one)) - Number(isBroken(other)) || one.name.localeCompare(other.name))

/** The selected registrars; null: the default, without failing ones. */
export const selectedOf = <S extends Seller>(all: readonly S[], ids: readonly string[] | null): readonly S[] =>
  all.filter((each) => ids?.includes(each.id) ?? !isBroken(each))
