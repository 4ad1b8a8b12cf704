import { callAsUser } from '#server/demo/caller.ts'
import { demoUser } from '#server/demo/team.ts'
import type { Services } from '#server/platform/context.ts'

const retryMs = 3_000
const reserved = 6

/**
 * Binds most of the demo's domains listed by its trackers, with one operation per tracker, once both have been read, and adds some to the
 * reserve; the rest is left for the differences page. Does nothing if a binding exists.
 */
export async function bindDemoDomains(services: Services): Promise<void> {
  const { db, clock, stopping } = services
  const read = async () => {
    const [row] = await db.sql<{ id: string; reading: boolean; bound: boolean }[]>`
      select u.id, exists (select from accounts a where a.owner_id = u.id and a.synced_at is null and a.health = 'working')
          or exists (select from trackers k where k.owner_id = u.id and k.synced_at is null) as reading,
        exists (select from tracker_bindings b join trackers k on k.id = b.tracker_id where k.owner_id = u.id)
          or not exists (select from trackers k where k.owner_id = u.id) as bound
      from users u where u.email = ${demoUser.email}`
    return row
  }
  let found = await read()
  for (; found?.reading === true && !found.bound; found = await read()) {
    await clock.sleep(retryMs, stopping).catch(() => undefined)
    if (stopping.aborted) return
  }
  if (found === undefined || found.bound) return
  const demo = await callAsUser(services, found.id)
  for (const { id: trackerId } of (await demo.trackers.list({})).trackers) {
    const { zoneIds: domainIds } = await demo.trackers.reconcileIds({ trackerIds: [trackerId], state: 'not_linked' })
    const ids = domainIds.filter((_, index) => index % 4 !== 3)
    if (ids.length === 0) continue
    const { operation } = await demo.operations.preview({ request: { kind: 'tracker_bind', input: { trackerId } }, target: { ids } })
    await demo.operations.start({ id: operation.id })
  }
  const { zoneIds: domainIds } = await demo.trackers.reconcileIds({ state: 'not_bound' })
  if (domainIds.length > 0) await demo.trackers.addReserve({ zoneIds: domainIds.slice(0, reserved) })
  await demo.auth.logout()
}
