import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { hasApi } from '#shared/features/registrars/rules.ts'
import type { MoneyView, Registrar } from '#shared/features/registrars/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { failureOf } from '#client/lib/errors.ts'
import { createStore } from '#client/lib/store.ts'
import { api } from '#client/lib/trpc.ts'
import type { Offer } from './offers.ts'
import { readTab, writeTab } from './tab-storage.ts'

interface AskedName {
  /** Punycode in lower case. */
  readonly name: string
  readonly displayName: string
}
/** The progress of one registrar. */
export interface RegistrarCheck {
  /** `failed`: it stopped with names left. */
  readonly state: 'running' | 'done' | 'failed'
  readonly offers: ReadonlyMap<string, Offer>
  readonly balance: MoneyView | null
  readonly error: unknown
}
export interface Check {
  readonly names: readonly AskedName[]
  readonly registrarIds: readonly string[]
  readonly byRegistrar: ReadonlyMap<string, RegistrarCheck>
  readonly startedAtMs: number
}

/** The last check; it continues while another page is open. */
export const check = createStore<Check | null>(null)
let leaving = new AbortController()

/** After a reload only the request is known; prices are fetched again. */
let asked = ''
check.subscribe(() => {
  const now = check.get()
  const kept = now === null ? null : { names: now.names, registrarIds: now.registrarIds }
  const text = JSON.stringify(kept)
  if (text === asked) return
  asked = text
  writeTab('asked', kept)
})

/** The request before the page was reloaded; null: none. */
export function keptQuestion(): Pick<Check, 'names' | 'registrarIds'> | null {
  const kept = readTab('asked')
  if (typeof kept !== 'object' || kept === null || !('names' in kept) || !('registrarIds' in kept)) return null
  const { names, registrarIds } = kept
  if (!Array.isArray(names) || !Array.isArray(registrarIds)) return null
  return {
    names: names.filter(
      (each: Partial<AskedName> | null): each is AskedName => typeof each?.name === 'string' && typeof each.displayName === 'string',
    ),
    registrarIds: registrarIds.filter((each: unknown) => typeof each === 'string'),
  }
}

export function dropCheck(): void {
  leaving.abort()
  check.set(null)
  // Also a request from before a reload that was not repeated.
  writeTab('asked', null)
}
auth.subscribe(() => {
  if (!auth.get().isAuthenticated) dropCheck()
})

type AskedRegistrar = Pick<Registrar, 'id' | 'type' | 'provider'>

/** Checks every name at every registrar in parallel, in batches of each provider's maximum size. */
export function startCheck(names: readonly AskedName[], registrars: readonly AskedRegistrar[]): void {
  leaving.abort()
  leaving = new AbortController()
  const begun: RegistrarCheck = { state: 'running', offers: new Map(), balance: null, error: null }
  check.set({
    names,
    registrarIds: registrars.map(({ id }) => id),
    byRegistrar: new Map(registrars.map(({ id }) => [id, begun])),
    startedAtMs: Date.now(),
  })
  for (const registrar of registrars) void ask(registrar, names, leaving.signal)
}

/** Retries the unanswered and failed names at one registrar. */
export function askAgain(registrar: AskedRegistrar): void {
  const asked = check.get()
  const before = asked?.byRegistrar.get(registrar.id)
  if (asked === null || before === undefined || before.state === 'running') return
  const left = asked.names.filter(({ name }) => (before.offers.get(name)?.state ?? 'unknown') === 'unknown')
  change(registrar.id, (each) => ({ ...each, state: 'running', error: null }))
  void ask(registrar, left, leaving.signal)
}

const change = (id: string, next: (before: RegistrarCheck) => RegistrarCheck): void =>
  check.set((all) => {
    const before = all?.byRegistrar.get(id)
    return all === null || before === undefined ? all : { ...all, byRegistrar: new Map(all.byRegistrar).set(id, next(before)) }
  })

async function ask(registrar: AskedRegistrar, names: readonly AskedName[], signal: AbortSignal): Promise<void> {
  const { id } = registrar
  const batchSize = hasApi(registrar) ? registrarCatalog[registrar.provider].namesPerCheck : 1
  try {
    for (let from = 0; from < names.length; from += batchSize) {
      const some = names.slice(from, from + batchSize).map(({ name }) => name)
      const { results, balance } = await api.buying.check.mutate({ registrarId: id, names: some }, { signal, context: { unbatched: true } })
      if (signal.aborted) return
      change(id, (before) => ({
        ...before,
        balance,
        offers: new Map([...before.offers, ...results.map((each): [string, Offer] => [each.name, each])]),
      }))
    }
    change(id, (before) => ({ ...before, state: 'done' }))
  } catch (error) {
    if (signal.aborted || failureOf(error).kind === 'cancelled') return
    change(id, (before) => ({ ...before, state: 'failed', error }))
  }
}
