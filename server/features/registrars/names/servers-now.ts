import type { z } from 'zod'
import type { Ctx, Services } from '#server/platform/context.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import type { Semaphore } from '#server/platform/semaphore.ts'
import type { Delegation } from '#server/ports/registry.ts'
import type { serversNowInput, serversNowOutput } from '#shared/features/registrars/schema.ts'
import { scopeOf } from '../list-registrars.ts'
import { listNamesById } from './registrar-names.repo.ts'

interface Known {
  readonly atMs: number
  readonly found: readonly string[]
}
interface Memory {
  readonly semaphore: Semaphore
  readonly known: Map<string, Known>
}

const freshMs = 60_000
const mostKept = 5_000
/** Number of concurrent DNS lookups. */
const maxConcurrent = 25

const memories = new WeakMap<Delegation, Memory>()
function memoryOf(delegation: Delegation): Memory {
  const memory = memories.get(delegation) ?? { semaphore: createSemaphore(maxConcurrent), known: new Map() }
  memories.set(delegation, memory)
  return memory
}

async function ask({ delegation, clock }: Pick<Services, 'delegation' | 'clock'>, name: string): Promise<Known | null> {
  const { semaphore, known } = memoryOf(delegation)
  const fresh = () => {
    const before = known.get(name)
    return before !== undefined && clock.now() - before.atMs < freshMs ? before : null
  }
  return (
    fresh() ??
    semaphore(async () => {
      const before = fresh()
      if (before !== null) return before
      const found = await delegation.findNameServers(name)
      if (found === null) return null
      const now = { atMs: clock.now(), found }
      known.delete(name)
      known.set(name, now)
      // Maps iterate in insertion order, so the first entries are the oldest.
      for (const [oldest] of known) {
        if (known.size <= mostKept) break
        known.delete(oldest)
      }
      return now
    })
  )
}

/** Longest wait for a preview. */
const previewMs = 4_000
const previewNames = 200

/**
 * Current name servers from DNS for the first names, within a few seconds: null when DNS did not answer, absent when it was not queried. Results of
 * the last minute are cached.
 */
export async function previewServersNow(
  services: Pick<Services, 'delegation' | 'clock'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[] | null>> {
  const some = names.slice(0, previewNames)
  const found = new Map<string, readonly string[] | null>(some.map((name) => [name, null]))
  const late = new AbortController()
  const all = Promise.all(some.map(async (name) => void found.set(name, (await ask(services, name))?.found ?? null)))
  await Promise.race([all, services.clock.sleep(previewMs, late.signal).catch(() => undefined)])
  late.abort()
  return new Map(found)
}

/** Current name servers from DNS for names at visible registrars; others are left out. */
export async function listServersNow(ctx: Ctx, { ids }: z.output<typeof serversNowInput>): Promise<z.output<typeof serversNowOutput>> {
  const names = await listNamesById(ctx.db.orm, ids, await scopeOf(ctx))
  const results = names.map(async ({ id, name }) => {
    const answer = await ask(ctx, name)
    return {
      id,
      nameServers: answer === null ? null : [...answer.found],
      checkedAt: new Date(answer?.atMs ?? ctx.clock.now()).toISOString(),
    }
  })
  return { results: await Promise.all(results) }
}
