import type { Transaction } from '#server/db/client.ts'
import { describeCauses, findChangeBefore } from '#server/features/monitoring/index.ts'
import type { CauseNaming } from '#server/features/monitoring/index.ts'
import type { Log } from '#server/platform/log.ts'
import { channelKinds } from '#shared/features/alerts/channel-kinds.ts'
import type { ChannelRow } from '../channels/channels.repo.ts'
import { countRemaining, listCountedEnds } from './due-incidents.repo.ts'
import { groupIncidents } from './group-incidents.policy.ts'
import type { NotifiableIncident } from './group-incidents.policy.ts'
import type { Part } from './message.ts'
import type { ChangedMessage, UpdatableMessage } from './outage-messages.repo.ts'
import type { NewMessage } from './outbox.repo.ts'
import { addJoined, addRecovered, isOutage } from './update-outage.policy.ts'

/** An incident with its receivers. */
export interface Routed {
  readonly incident: NotifiableIncident
  readonly to: readonly ChannelRow[]
  /** When it was taken, or the outage that it joins. */
  readonly takenAt: number
  /** Messages about its outage, which are updated instead of followed by another one. */
  readonly messages: readonly UpdatableMessage[]
  /** Its domain recovered in the meantime, and is counted already. */
  readonly isCounted?: boolean
}

const messageIn = ({ messages }: Routed, { id }: ChannelRow) => messages.find(({ channelId }) => channelId === id)

const partsOf = (routed: readonly Routed[], { kind }: ChannelRow, naming: ReadonlyMap<string, CauseNaming>, takenAt: number): Part[] =>
  groupIncidents(
    routed.map(({ incident }) => incident),
    naming,
    { takenAt: new Date(takenAt), all: !channelKinds[kind].isForPeople },
  )

/** The first message about recovered domains counts those of the outage that are still down, too. */
async function withRemaining(tx: Transaction, ownerId: string, channel: ChannelRow, part: Part): Promise<Part> {
  if (part.kind === 'opened' || !channelKinds[channel.kind].canEdit || !isOutage(part.cause)) return part
  const { remaining } = await countRemaining(tx, ownerId, part, channel.groupIds)
  return remaining === 0 ? part : { ...part, of: part.count + remaining }
}

async function changeOf(
  tx: Transaction,
  ownerId: string,
  channel: ChannelRow,
  { id, body }: UpdatableMessage,
  routed: readonly Routed[],
  now: number,
): Promise<ChangedMessage> {
  if (body.kind === 'opened') {
    const names = new Set(routed.flatMap(({ incident, isCounted }) => (isCounted === true ? [] : [incident.name])))
    return { id, body: addJoined(body, [...names], now) }
  }
  const ids = routed.map(({ incident }) => incident.id)
  const counted = await listCountedEnds(tx, ids, body.takenAt)
  const names = new Set(routed.flatMap(({ incident }) => (counted.has(incident.id) ? [] : [incident.name])))
  const progress = { fresh: names.size, ...(await countRemaining(tx, ownerId, body, channel.groupIds)) }
  // Their cause and health are the same, so there is one part.
  const [part] = partsOf(routed, channel, new Map(), now)
  return { id, body: part?.kind === 'closed' ? addRecovered(body, part, progress, now) : body }
}

/** Messages that name a change, per round: the most severe ones of the first channels. */
const mostLookups = 20
const mostSearched = 5_000

/** Adds to messages about domains that are down what changed before. Each set of domains is looked up once, and none of it may fail an alert. */
function createChangeLookup(tx: Transaction, log: Log) {
  const found = new Map<string, ReturnType<typeof find>>()
  async function find(domainIds: readonly string[], at: Date) {
    try {
      return (await tx.transaction((inner) => findChangeBefore(inner, { domainIds, at }))) ?? undefined
    } catch (error) {
      log.warn({ err: error }, 'failed to find what changed before an outage')
      return undefined
    }
  }
  return async (part: Part, routed: readonly Routed[]): Promise<Part> => {
    if (part.kind !== 'opened' || part.health !== 'critical') return part
    const ids = routed.flatMap(({ incident: { cause, domainId, closedAt, health } }) =>
      cause === part.cause && health === part.health && closedAt === null ? (domainId ?? []) : [],
    )
    const key = `${part.since} ${ids.join(' ')}`
    if (ids.length === 0 || (!found.has(key) && found.size >= mostLookups)) return part
    const looking = found.get(key) ?? find(ids.slice(0, mostSearched), new Date(part.since))
    found.set(key, looking)
    const change = await looking
    return change === undefined ? part : { ...part, change }
  }
}

/** Messages to send about incidents, by channel, and changes to those about an outage that goes on. */
export async function composeMessages(
  tx: Transaction,
  ownerId: string,
  channels: readonly ChannelRow[],
  routed: readonly Routed[],
  { now, log }: { readonly now: number; readonly log: Log },
): Promise<{ readonly added: readonly NewMessage[]; readonly changed: readonly ChangedMessage[] }> {
  const naming = await describeCauses(tx, [...new Set(routed.map(({ incident }) => incident.cause))])
  const withChange = createChangeLookup(tx, log)
  const added: NewMessage[] = []
  const changed: ChangedMessage[] = []
  for (const channel of channels) {
    const mine = routed.filter(({ to }) => to.includes(channel))
    const fresh = mine.filter((each) => messageIn(each, channel) === undefined)
    for (const [takenAt, some] of Map.groupBy(fresh, (each) => each.takenAt)) {
      for (const part of partsOf(some, channel, naming, takenAt)) {
        const body = await withChange(await withRemaining(tx, ownerId, channel, part), some)
        added.push({ ownerId, channelId: channel.id, body, now: new Date(now) })
      }
    }
    for (const [message, some] of Map.groupBy(mine, (each) => messageIn(each, channel))) {
      if (message !== undefined) changed.push(await changeOf(tx, ownerId, channel, message, some, now))
    }
  }
  return { added, changed }
}
