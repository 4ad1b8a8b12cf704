import { updateFromRegistry } from '#server/features/domains/mirror/index.ts'
import type { Services } from '#server/platform/context.ts'
import type { RegistryAnswer, RegistryCall } from '#server/ports/registry.ts'
import { registrableName } from '#shared/features/domains/creation/zone-name.ts'
import { pauseAfter, pauseAfterFailures } from './next-reading.policy.ts'
import { findName, saveAnswer, saveFailure } from './registry.repo.ts'

const nothing = { expiresAt: null, statuses: [], registrar: null, nameServers: [] }

/** Queries the registry for a zone's name and stores the result. Known data is kept when there is no response. */
export async function readRegistry(
  services: Services,
  name: string,
  call: RegistryCall,
): Promise<{ readonly answer: RegistryAnswer; readonly changedOwners: readonly string[] }> {
  const answer = await services.registry.lookUp(registrableName(name), call)
  const nowMs = services.clock.now()
  if (answer.state !== 'unreachable') {
    const at = { readAt: new Date(nowMs), dueAt: new Date(nowMs + pauseAfter(answer, nowMs)) }
    const kept = answer.state === 'found' ? answer : { ...nothing, state: answer.state }
    const changedOwners = await services.db.orm.transaction(async (tx) => {
      await saveAnswer(tx, name, kept, at)
      return updateFromRegistry(tx, name, kept.expiresAt)
    })
    return { answer, changedOwners }
  }
  const before = await findName(services.db.orm, name)
  const pauseMs = pauseAfterFailures(before?.failures ?? 0, answer.retryAfterSeconds)
  await saveFailure(services.db.orm, name, answer.fault, new Date(nowMs + pauseMs))
  return { answer, changedOwners: [] }
}

/** Notifies users who see these owners' domains of new expiries. */
export async function publishRegistryDates(services: Services, ownerIds: Iterable<string>): Promise<void> {
  for (const ownerId of ownerIds) await services.events.publish(services.db.orm, ownerId, ['domains', 'registrars'])
}
