import { domainToUnicode } from 'node:url'
import type { Ctx } from '#server/platform/context.ts'
import type { Availability, RegistrarCall } from '#server/ports/registrar.ts'
import { parseZoneName } from '#shared/features/domains/creation/zone-name.ts'
import type { AvailabilityView, CheckNamesOutput } from '#shared/features/registrars/buying/schema.ts'
import { connectRegistrar } from '../connect-registrar.ts'
import type { ConnectedRegistrar } from '../connect-registrar.ts'
import { readSpendable } from './read-spendable.ts'

/** A person looks, chooses and confirms within this time, so nothing is queried twice. */
const maxAgeMs = 5 * 60_000
const balanceAgeMs = 60_000
const rememberedAtMost = 20_000
const remembered = new Map<string, { readonly atMs: number; readonly answer: Availability }>()
const keyOf = ({ registrar }: ConnectedRegistrar, name: string) => `${registrar.credentialHash} ${name}`

/** Discards the cached result for a name. */
export function forgetAnswer(connected: ConnectedRegistrar, name: string): void {
  remembered.delete(keyOf(connected, name))
}

/** One result per name (Punycode), in as few calls as the provider allows; results of the last minutes come from the cache. */
export async function askNames(
  ctx: Ctx,
  connected: ConnectedRegistrar,
  names: readonly string[],
  call: RegistrarCall,
): Promise<ReadonlyMap<string, Availability>> {
  const nowMs = ctx.clock.now()
  const answers = new Map<string, Availability>()
  const open: string[] = []
  for (const name of new Set(names)) {
    const known = remembered.get(keyOf(connected, name))
    if (known !== undefined && nowMs - known.atMs < maxAgeMs) answers.set(name, known.answer)
    else open.push(name)
  }
  if (open.length === 0) return answers
  if (remembered.size > rememberedAtMost) remembered.clear()
  for (const answer of await connected.connection.check(open, call)) {
    answers.set(answer.name, answer)
    if (answer.state !== 'unknown') remembered.set(keyOf(connected, answer.name), { atMs: nowMs, answer })
  }
  return answers
}

/**
 * Availability and price of names in their order, without duplicates, with the registrar's balance (R-BUY-01).
 * @throws AppError not_found, registrar_manual, and any refusal by the registrar
 */
export async function checkNames(
  ctx: Ctx,
  { registrarId, names }: { readonly registrarId: string; readonly names: readonly string[] },
): Promise<CheckNamesOutput> {
  const connected = await connectRegistrar(ctx, registrarId)
  const call = { priority: 'person' } as const
  const read = names.map((given) => ({ given, parsed: parseZoneName(given) }))
  const wanted = read.flatMap(({ parsed }) => ('name' in parsed ? [parsed.name] : []))
  const answers = await askNames(ctx, connected, wanted, call)
  const results = new Map<string, AvailabilityView>()
  const repeated = new Set<string>()
  for (const { given, parsed } of read) {
    const name = 'fault' in parsed ? given : parsed.name
    if (results.has(name)) repeated.add(name)
    else if ('fault' in parsed) results.set(name, { name, displayName: name, state: 'invalid', code: parsed.fault })
    else results.set(name, viewOf(answers.get(name) ?? { name, state: 'unknown', code: null, message: null }))
  }
  const money = wanted.length === 0 ? { balance: null, reserved: null } : await readSpendable(ctx, connected, balanceAgeMs, call)
  return { registrarId, ...money, results: [...results.values()], repeated: [...repeated] }
}

function viewOf(answer: Availability): AvailabilityView {
  const displayName = domainToUnicode(answer.name) || answer.name
  if (answer.state !== 'available') return { ...answer, displayName }
  return { ...answer, displayName, longer: answer.longer.map(({ years, price }) => ({ years, minor: price.minor })) }
}
