import type { Transaction } from '#server/db/client.ts'
import { groupMoreDelayMs, holdOpens, listCausesBeingChecked, takeCloses, takeOpens } from '#server/features/monitoring/index.ts'
import type { Services } from '#server/platform/context.ts'
import { isForReview, readCause } from '#shared/features/monitoring/cause.ts'
import type { Notices } from '#shared/features/monitoring/schema.ts'
import { channelKinds } from '#shared/features/alerts/channel-kinds.ts'
import { composeMessages } from './compose-messages.ts'
import type { Routed } from './compose-messages.ts'
import { listEnabledChannels } from '../channels/channels.repo.ts'
import type { ChannelRow } from '../channels/channels.repo.ts'
import {
  findAlertSettings,
  listCounted,
  listDueCloses,
  listDueOpens,
  listDueOwners,
  listWindowsSince,
  tryLockOwner,
} from './due-incidents.repo.ts'
import type { DueIncident, AlertSettings } from './due-incidents.repo.ts'
import type { NotifiableIncident } from './group-incidents.policy.ts'
import { decide } from './notice.policy.ts'
import type { Decision } from './notice.policy.ts'
import { putMessages } from './outbox.repo.ts'
import { lockUpdatable, updateMessages } from './outage-messages.repo.ts'
import type { UpdatableMessage } from './outage-messages.repo.ts'
import { quietUntil } from '../quiet-hours.policy.ts'
import { routesOf } from './routing.policy.ts'
import { isOutage, isUnfinished, updatedForMs } from './update-outage.policy.ts'

export interface NotifyOptions {
  /** How long an incident waits for others of its cause, to be reported together. */
  readonly groupDelayMs: number
  /** How long it waits at most while domains that share the cause are being checked. */
  readonly groupChecksMs: number
  /** How long the end of an incident waits. */
  readonly groupEndsDelayMs: number
  /** After a cause was reported, further incidents of it are collected for this long. */
  readonly groupMoreDelayMs: number
}
export const notifyDefaults: NotifyOptions = { groupDelayMs: 20_000, groupChecksMs: 40_000, groupEndsDelayMs: 5_000, groupMoreDelayMs }

const batchSize = 20_000
/** How long further incidents of a reported cause count as more of the same. */
const freshMs = 10 * 60_000
/** This many incidents with a common symptom count as one problem, even if the root cause is unknown. */
const manyOfSymptom = 5
const windowsBackMs = 7 * 86_400_000

type NotifyServices = Pick<Services, 'db' | 'clock' | 'events' | 'log'>

/** Puts everything due into the outbox, once. Returns the number of new messages. */
export async function notifyOwners(services: NotifyServices, options: NotifyOptions): Promise<number> {
  const { db, clock, log } = services
  const now = clock.now()
  const { groupDelayMs, groupEndsDelayMs } = options
  const due = { openedBefore: now - groupDelayMs, closedBefore: now - groupEndsDelayMs }
  let messages = 0
  for (const ownerId of await listDueOwners(db, due)) {
    try {
      messages += await db.orm.transaction((tx) => notifyOwner(services, tx, ownerId, { ...options, ...due, now }))
    } catch (error) {
      // Continue with other owners.
      log.error({ err: error, ownerId }, 'failed to create alerts; will retry')
    }
  }
  return messages
}

interface Due extends NotifyOptions {
  readonly now: number
  readonly openedBefore: number
  readonly closedBefore: number
}

async function notifyOwner(services: NotifyServices, tx: Transaction, ownerId: string, due: Due): Promise<number> {
  if (!(await tryLockOwner(tx, ownerId))) return 0
  const settings = await findAlertSettings(tx, ownerId)
  const channels = settings === null ? [] : await listEnabledChannels(tx, ownerId)
  const began = await takeBeginnings(tx, ownerId, settings, channels, due)
  const ended = await takeEnds(tx, ownerId, settings, channels, due)
  const routed = [...began, ...ended]
  if (routed.length === 0) return 0
  const messages = await composeMessages(tx, ownerId, channels, routed, { now: due.now, log: services.log })
  await putMessages(tx, messages.added)
  await updateMessages(tx, messages.changed, due.now)
  await services.events.publish(tx, ownerId, 'monitoring')
  return messages.added.length
}

/** The latest message in each channel about the cause. */
function latestIn(messages: readonly UpdatableMessage[], { cause, health }: Pick<DueIncident, 'cause' | 'health'>): UpdatableMessage[] {
  const same = messages.filter(({ body }) => body.cause === cause && body.health === health)
  return [...new Map(same.map((message) => [message.channelId, message])).values()]
}

const editable = (channels: readonly ChannelRow[]) => channels.filter(({ kind }) => channelKinds[kind].canEdit).map(({ id }) => id)

const noticesOf = (settings: AlertSettings, groupId: string | null): Notices => ({
  ...settings.notices,
  ...(groupId === null ? {} : settings.byGroup.get(groupId)),
})

/** When others of the same problem were last reported; null: none were, or they share only a symptom. */
function lastNotifiedOfCause({ cause, causeNotifiedCount, causeNotifiedAt }: DueIncident): number | null {
  if (causeNotifiedAt === null) return null
  return readCause(cause).kind !== 'code' || causeNotifiedCount >= manyOfSymptom ? Date.parse(causeNotifiedAt) : null
}

/** Causes of which nothing was reported yet, with the time of their first incident, if that is not long ago. */
function newCauses(incidents: readonly DueIncident[], since: number): Map<string, number> {
  const causes = new Map<string, number>()
  for (const { cause, openedAt, closedAt, held, causeNotifiedAt } of incidents) {
    if (closedAt !== null || held || causeNotifiedAt !== null) continue
    causes.set(cause, Math.min(causes.get(cause) ?? Infinity, Date.parse(openedAt)))
  }
  return new Map([...causes].filter(([, openedAt]) => openedAt > since))
}

async function takeBeginnings(
  tx: Transaction,
  ownerId: string,
  settings: AlertSettings | null,
  channels: readonly ChannelRow[],
  { now, openedBefore, groupMoreDelayMs: moreMs, groupChecksMs }: Due,
): Promise<Routed[]> {
  const due = await listDueOpens(tx, ownerId, { now, openedBefore, causeNotifiedAfter: now - freshMs, limit: batchSize })
  const waiting = await listCausesBeingChecked(tx, ownerId, newCauses(due, now - groupChecksMs), now)
  const incidents = due.filter(({ cause, closedAt }) => closedAt !== null || !waiting.has(cause))
  if (incidents.length === 0) return []
  const windows = settings === null ? [] : await listWindowsSince(tx, ownerId, now - windowsBackMs, now)
  const quiet = settings === null ? null : quietUntil(settings.quietHours, now)
  const mayJoin = (incident: DueIncident) => isOutage(incident.cause) && incident.closedAt === null && !incident.told
  const causes = [...new Set(incidents.filter(mayJoin).map(({ cause }) => cause))]
  const about = { causes, channelIds: editable(channels), kind: 'opened', since: now - updatedForMs } as const
  const known = (await lockUpdatable(tx, ownerId, about)).filter(({ body }) => body.kind === 'opened' && !body.worse)
  const decideFor = (incident: DueIncident, joins: boolean): Decision => {
    // An incident whose start was reported has its end reported below.
    if (settings === null || channels.length === 0 || (incident.told && incident.closedAt !== null)) return { do: 'skip' }
    const last = joins ? null : lastNotifiedOfCause(incident)
    return decide(
      {
        health: incident.health,
        reasons: incident.reasons,
        groupId: incident.groupId,
        domainId: incident.domainId,
        openedAt: new Date(incident.openedAt),
        closedAt: incident.closedAt === null ? null : new Date(incident.closedAt),
        notifiedRecently: incident.notifiedRecently,
        mutedUntil: incident.mutedUntil === null ? null : new Date(incident.mutedUntil),
        endedMuted: incident.endedMuted,
      },
      { now, notices: noticesOf(settings, incident.groupId), windows, quiet, groupUntil: last === null ? null : last + moreMs },
    )
  }
  const routed: Routed[] = []
  const [skipped, over]: [string[], string[]] = [[], []]
  const held: { id: string; until: number }[] = []
  for (const incident of incidents) {
    const messages = mayJoin(incident) ? latestIn(known, incident) : []
    if (messages.some(({ isSending }) => isSending)) continue
    const decision = decideFor(incident, messages.length > 0)
    if (decision.do === 'hold') {
      held.push({ id: incident.id, until: decision.until })
      continue
    }
    const late = decision.do === 'notify_end'
    const publishing = decision.do === 'skip' ? null : toNotifiable(incident, late)
    const to = publishing === null ? [] : routesOf(channels, publishing)
    if (publishing === null || to.length === 0) skipped.push(incident.id)
    else routed.push({ incident: publishing, to, messages, takenAt: takenAtOf(messages, now) })
    // Its end is reported together with it, or not at all.
    if (incident.closedAt !== null && !incident.told) over.push(incident.id)
  }
  const taken: Routed[] = []
  for (const [at, some] of Map.groupBy(routed, ({ takenAt }) => takenAt)) {
    const ids = some.map(({ incident }) => incident.id)
    const counted = at === now ? new Set<string>() : await listCounted(tx, ids, new Date(at).toISOString())
    taken.push(...some.map((each) => ({ ...each, isCounted: counted.has(each.incident.id) })))
    await takeOpens(tx, { at: new Date(at), routed: ids, skipped: [], over: over.filter((id) => ids.includes(id)) })
  }
  await takeOpens(tx, { at: new Date(now), routed: [], skipped, over })
  if (held.length > 0) await holdOpens(tx, held)
  return taken
}

/** Domains that join an outage are found by its time: its buttons apply to them, too. */
const takenAtOf = ([message]: readonly UpdatableMessage[], now: number): number =>
  message === undefined ? now : Date.parse(message.body.takenAt)

const toNotifiable = (incident: DueIncident, late: boolean): NotifiableIncident => ({
  id: incident.id,
  domainId: incident.domainId,
  groupId: incident.groupId,
  name: incident.name,
  health: incident.health,
  reasons: incident.reasons,
  cause: incident.cause,
  openedAt: new Date(incident.openedAt),
  closedAt: late && incident.closedAt !== null ? new Date(incident.closedAt) : null,
  // More that is for review is reported again, but nothing got worse.
  worse: incident.told && incident.health === 'critical' && !isForReview(incident.cause),
  more: !late && !incident.told && lastNotifiedOfCause(incident) !== null,
})

async function takeEnds(
  tx: Transaction,
  ownerId: string,
  settings: AlertSettings | null,
  channels: readonly ChannelRow[],
  { now, closedBefore, groupEndsDelayMs }: Due,
): Promise<Routed[]> {
  const due = await listDueCloses(tx, ownerId, { closedBefore, limit: batchSize })
  if (due.length === 0) return []
  const causes = [...new Set(due.map(({ cause }) => cause).filter(isOutage))]
  const about = { causes, channelIds: editable(channels), kind: 'closed', since: now - updatedForMs } as const
  const known = (await lockUpdatable(tx, ownerId, about)).filter(({ body }) => body.kind === 'closed' && isUnfinished(body))
  // A message is not changed while it is sent, and not more often than ends are collected.
  const isBusy = ({ isSending, createdAt, body }: UpdatableMessage) =>
    isSending || Math.max(createdAt, Date.parse(body.updatedAt ?? body.takenAt)) + groupEndsDelayMs > now
  const ends = due.filter((end) => !latestIn(known, end).some(isBusy))
  const routed = ends.flatMap((end): Routed[] => {
    if (!end.told || settings === null || !noticesOf(settings, end.groupId).recovery) return []
    const incident: NotifiableIncident = {
      id: end.id,
      domainId: end.domainId,
      groupId: end.groupId,
      name: end.name,
      health: end.health,
      reasons: end.reasons,
      cause: end.cause,
      openedAt: new Date(end.openedAt),
      closedAt: new Date(end.closedAt),
      worse: false,
      more: false,
    }
    // A channel created later did not receive the start.
    const heard = channels.filter(({ createdAt }) => createdAt.getTime() <= Date.parse(end.openTakenAt))
    const to = routesOf(heard, incident)
    return to.length === 0 ? [] : [{ incident, to, takenAt: now, messages: latestIn(known, end) }]
  })
  await takeCloses(
    tx,
    ends.map(({ id }) => id),
    new Date(now),
  )
  return routed
}
