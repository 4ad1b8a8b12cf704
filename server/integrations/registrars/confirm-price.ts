import { AppError } from '#shared/errors/app-error.ts'
import type { Term } from '#server/ports/registrar.ts'
import type { VendorDoor } from '#server/integrations/http/vendor-door.ts'
import { priceFor } from './terms.ts'
import type { TermsByZone } from './terms.ts'

/** Orders one after another look at one list of prices. */
const maxAgeMs = 60_000
const lists = new WeakMap<VendorDoor, { readonly atMs: number; readonly prices: Promise<TermsByZone> }>()

/**
 * For providers whose orders name no price: looks it up last, in a list by zone that is read at most once a minute a credential. A zone that is not in the
 * list passes: there is nothing to compare with.
 * @param agreed to, for all the years
 * @param zoneIn finds the zone of the name in the list
 * @throws AppError registrar_price_changed
 */
export async function confirmPrice(
  door: VendorDoor,
  { years, price: agreed }: Term,
  zoneIn: (prices: TermsByZone) => string,
  readPrices: () => Promise<TermsByZone>,
): Promise<void> {
  const nowMs = performance.now()
  let list = lists.get(door)
  if (list === undefined || nowMs - list.atMs > maxAgeMs) {
    list = { atMs: nowMs, prices: readPrices() }
    lists.set(door, list)
    const own = list
    own.prices.catch(() => {
      if (lists.get(door) === own) lists.delete(door)
    })
  }
  const prices = await list.prices
  const price = priceFor(prices.get(zoneIn(prices)), years)
  if (price !== undefined && (price.minor !== agreed.minor || price.currency !== agreed.currency)) {
    // Whoever agrees anew is not held against the old list.
    lists.delete(door)
    throw new AppError('registrar_price_changed')
  }
}
