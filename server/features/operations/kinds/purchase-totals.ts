import { readSpendable } from '#server/features/registrars/index.ts'
import type { ConnectedRegistrar } from '#server/features/registrars/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Money, RegistrarCall } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { PurchaseTotal } from '#shared/features/registrars/buying/schema.ts'

interface Payment {
  readonly registrarId: string
  readonly price: Money
  /** Later renewal price; null if unknown. */
  readonly renewal?: Money | null
}

/** The amount for each registrar against its balance; one row per currency. */
export async function totalsOf(
  ctx: Ctx,
  payments: readonly Payment[],
  registrars: ReadonlyMap<string, ConnectedRegistrar>,
  call: RegistrarCall,
): Promise<PurchaseTotal[]> {
  const sum = (amounts: readonly Money[]) => amounts.reduce((total, { minor }) => total + minor, 0)
  const totals: PurchaseTotal[] = []
  for (const [registrarId, theirs] of Map.groupBy(payments, (payment) => payment.registrarId)) {
    const connected = registrars.get(registrarId)
    if (connected === undefined) throw new AppError('internal')
    const { balance, reserved } = await readSpendable(ctx, connected, 0, call)
    for (const [currency, some] of Map.groupBy(theirs, ({ price }) => price.currency)) {
      const minor = sum(some.map(({ price }) => price))
      const renewals = some.flatMap(({ renewal }) => (renewal?.currency === currency ? [renewal] : []))
      totals.push({
        registrarId,
        registrar: connected.registrar.name,
        names: some.length,
        total: { minor, currency },
        renewal: renewals.length === some.length ? { minor: sum(renewals), currency } : null,
        balance,
        reserved,
        enough: balance?.currency === currency ? balance.minor >= minor : null,
      })
    }
  }
  return totals
}

/** @throws AppError registrar_money if a balance is known to be too low */
export function requireMoney(totals: readonly PurchaseTotal[]): void {
  const short = totals.find(({ enough }) => enough === false)
  if (short === undefined) return
  const { registrar, total, balance } = short
  throw new AppError('registrar_money', {
    params: { registrar, needed: total.minor, available: balance?.minor ?? 0, currency: total.currency },
  })
}
