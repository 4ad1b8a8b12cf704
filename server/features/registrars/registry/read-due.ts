import { updateFromKnownRegistry } from '#server/features/domains/mirror/index.ts'
import type { Services } from '#server/platform/context.ts'
import type { RegistryFault } from '#server/ports/registry.ts'
import { readRegistry, publishRegistryDates } from './read-registry.ts'
import { claimDue, deleteNames, insertWanted, putOff } from './registry.repo.ts'
import type { DueName } from './registry.repo.ts'

/** Of one top-level domain at a time: at a question a second, twenty seconds' worth. */
const [concurrentTlds, namesPerBatch] = [40, 20]
const newPerBatch = 5_000
/** A new domain's registrar mostly reports within this time, and then nobody has to ask. */
const newWaitMs = 60_000
/** Far longer than the slowest registry takes for what is claimed immediately. */
const leaseMs = 30 * 60_000
/** What does not depend on the name: the others of this registry would fare the same. */
const ofTheServer = new Set<RegistryFault>(['directory', 'busy', 'limited', 'timeout', 'unavailable', 'closed'])
const serverPauseMs = 10 * 60_000

/** Takes up new names, as far as nobody has asked of them; a minute later they are due. */
export async function takeUpNames(services: Services): Promise<void> {
  const dueAt = new Date(services.clock.now() + newWaitMs)
  while ((await insertWanted(services.db.orm, dueAt, newPerBatch)) === newPerBatch);
  await updateFromKnownRegistry(services.db.orm)
}

/**
 * Begins to ask of what is due, for each top-level domain that is not in `busy`, and puts it in there until its names are through. Several processes share the names
 * between them.
 * @returns the work that was begun, one a top-level domain
 */
export async function readDueNames(services: Services, busy: Set<string>, signal: AbortSignal): Promise<Promise<void>[]> {
  const now = services.clock.now()
  const names = await claimDue(services.db.orm, {
    now: new Date(now),
    until: new Date(now + leaseMs),
    except: [...busy],
    tlds: concurrentTlds - Math.min(busy.size, concurrentTlds),
    perTld: namesPerBatch,
  })
  await deleteNames(
    services.db.orm,
    names.flatMap(({ name, wanted }) => (wanted ? [] : [name])),
  )
  const wanted = Map.groupBy(
    names.filter((each) => each.wanted),
    ({ tld }) => tld,
  )
  return [...wanted].map(async ([tld, theirs]) => {
    busy.add(tld)
    try {
      await readInTurn(services, theirs, signal)
    } catch (error) {
      if (!signal.aborted) services.log.error({ err: error, tld }, 'failed to query a registry')
    } finally {
      busy.delete(tld)
    }
  })
}

async function readInTurn(services: Services, names: readonly DueName[], signal: AbortSignal): Promise<void> {
  const left = names.map(({ name }) => name)
  const owners = new Set<string>()
  try {
    for (let [name] = left; name !== undefined; [name] = left) {
      const { answer, changedOwners } = await readRegistry(services, name, { priority: 'sync', signal })
      left.shift()
      for (const ownerId of changedOwners) owners.add(ownerId)
      if (answer.state === 'unreachable' && ofTheServer.has(answer.fault)) {
        const pauseMs = Math.max(serverPauseMs, (answer.retryAfterSeconds ?? 0) * 1_000)
        await putOff(services.db.orm, left.splice(0), new Date(services.clock.now() + pauseMs))
      }
    }
  } finally {
    // Not asked because this process ends: somebody else's turn.
    if (signal.aborted) await putOff(services.db.orm, left, new Date(services.clock.now()))
    await publishRegistryDates(services, owners)
  }
}
