import { updateFromKnownRegistry } from '#server/features/domains/mirror/index.ts'
import type { Services } from '#server/platform/context.ts'
import type { RegistryFault } from '#server/ports/registry.ts'
import { readRegistry, publishRegistryDates } from './read-registry.ts'
import { claimDue, deleteNames, insertWanted, putOff } from './registry.repo.ts'
import type { DueName } from './registry.repo.ts'

/** At one query per second and top-level domain, a batch takes twenty seconds. */
const [concurrentTlds, namesPerBatch] = [40, 20]
/** Each batch compares all names. */
const newPerBatch = 100_000
/** A new domain's registrar usually reports within this time, so that no query is needed. */
const newWaitMs = 60_000
/** Far longer than the slowest registry needs for one batch. */
const leaseMs = 30 * 60_000
/** Errors that do not depend on the name: other names of this registry would fail as well. */
const ofTheServer = new Set<RegistryFault>(['directory', 'busy', 'limited', 'timeout', 'unavailable', 'closed'])
const serverPauseMs = 10 * 60_000

/** Adds new names that were never queried; they are due a minute later. */
export async function takeUpNames(services: Services, signal: AbortSignal = services.stopping): Promise<void> {
  const dueAt = new Date(services.clock.now() + newWaitMs)
  while (!signal.aborted && (await insertWanted(services.db.orm, dueAt, newPerBatch)) === newPerBatch);
  await updateFromKnownRegistry(services.db.orm)
}

/**
 * Starts queries for due names of each top-level domain that is not in `busy`, and keeps it in there until its names are done. Several processes
 * share the names.
 * @returns the started work, one promise per top-level domain
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
    // Not queried because this process stops: release them for another.
    if (signal.aborted) await putOff(services.db.orm, left, new Date(services.clock.now()))
    await publishRegistryDates(services, owners)
  }
}
