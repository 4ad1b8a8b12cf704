import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import {
  acknowledgeRows,
  checkNow,
  describeCauses,
  listNotifiedIncidents,
  muteDomains,
  muteRows,
} from '#server/features/monitoring/index.ts'
import type { Ctx, Services } from '#server/platform/context.ts'
import { isPossibleName } from '#shared/possible-host.ts'
import { messageBody } from '../outbox/message.ts'
import type { MessageBody } from '../outbox/message.ts'
import { countHealth, findChat, findSentMessage, findZones, listTroubles } from './bot.repo.ts'
import type { FoundZone, HealthCounts, KnownChat, OpenTrouble } from './bot.repo.ts'
import type { Bot } from './run-bots.ts'

/** The context of a configured chat: it acts as its owner with the user role, even if the owner is an administrator. */
export interface ChatCtx extends Ctx {
  readonly chat: KnownChat
}

const actingIn = (services: Services, chat: KnownChat): ChatCtx => ({
  ...services,
  chat,
  actor: { kind: 'user', userId: chat.ownerId, name: chat.ownerName, role: 'user', sessionId: '', verifiedAt: null, hasGrants: false },
  requestId: randomUUID(),
  address: null,
  userAgent: 'telegram',
  origin: null,
})

/** Null when the chat is not configured: it gets no answer. */
export async function enterChat(services: Services, { ownerIds }: Bot, chatId: string): Promise<ChatCtx | null> {
  const chat = await findChat(services.db.orm, ownerIds, chatId)
  return chat === null ? null : actingIn(services, chat)
}

interface EnteredMessage {
  readonly ctx: ChatCtx
  readonly body: MessageBody
}

/** The message a button belongs to, if it was sent to that chat. */
export async function enterMessage(
  services: Services,
  { ownerIds }: Bot,
  message: { readonly id: string; readonly chatId: string; readonly externalId: string },
): Promise<EnteredMessage | null> {
  const found = await findSentMessage(services.db.orm, { ...message, ownerIds })
  return found === null ? null : { ctx: actingIn(services, found), body: messageBody.parse(found.body) }
}

/** Open incidents of a message. */
async function listOpen({ db, chat }: ChatCtx, body: MessageBody) {
  const parts = body.kind === 'digest' ? body.parts : body.kind === 'opened' ? [body] : []
  const rows = []
  for (const { cause, takenAt } of parts)
    rows.push(...(await listNotifiedIncidents(db.orm, { ownerId: chat.ownerId, cause, takenAt, groupIds: chat.groupIds })))
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** @returns the number of open incidents it was about */
export async function acknowledgeMessage({ ctx, body }: EnteredMessage, by: string): Promise<number> {
  const rows = await listOpen(ctx, body)
  await acknowledgeRows(ctx, rows, by)
  return rows.length
}

/** @returns the number of muted domains */
export async function muteMessage({ ctx, body }: EnteredMessage, by: string, minutes: number): Promise<number> {
  return muteRows(ctx, await listOpen(ctx, body), by, minutes)
}

/** @returns the number of domains being checked */
export async function checkMessage({ ctx, body }: EnteredMessage): Promise<number> {
  const ids = (await listOpen(ctx, body)).flatMap(({ domainId }) => (domainId === null ? [] : [domainId]))
  return ids.length === 0 ? 0 : (await checkNow(ctx, { ids: [...new Set(ids)] })).domains
}

const mostTroubles = 8

interface ChatStatus {
  readonly counts: HealthCounts
  /** `causeName`: the account or registrar that is the cause. */
  readonly troubles: readonly (OpenTrouble & { readonly causeName: string | null })[]
}

export async function readStatus({ db, chat }: ChatCtx): Promise<ChatStatus> {
  const counts = await countHealth(db.orm, chat.ownerId, chat.groupIds)
  const troubles = await listTroubles(db.orm, chat.ownerId, chat.groupIds, mostTroubles)
  const naming = await describeCauses(
    db.orm,
    troubles.map(({ cause }) => cause),
  )
  return { counts, troubles: troubles.map((trouble) => ({ ...trouble, causeName: naming.get(trouble.cause)?.name ?? null })) }
}

const asStored = (name: string): string => {
  const lower = name.trim().toLowerCase()
  return (isPossibleName(lower) && domainToASCII(lower)) || lower
}

export const findDomains = ({ db, chat }: ChatCtx, text: string, limit: number): Promise<readonly FoundZone[]> =>
  findZones(db.orm, chat.ownerId, chat.groupIds, asStored(text), limit)

/** The one matching domain, or the candidates. */
export async function findOne(
  ctx: ChatCtx,
  name: string,
): Promise<{ readonly zone: FoundZone } | { readonly several: readonly FoundZone[] }> {
  const found = await findDomains(ctx, name, 5)
  const [first] = found
  return first !== undefined && (found.length === 1 || first.name === asStored(name)) ? { zone: first } : { several: found }
}

/** Null: unmute. */
export const muteDomain = (ctx: ChatCtx, { id }: FoundZone, minutes: number | null): Promise<{ readonly domains: number }> =>
  muteDomains(ctx, { ids: [id], minutes })
