import { sql } from 'drizzle-orm'
import type { Queryable, Joined, RawRow } from '#server/db/client.ts'
import type { alertChannels, incidents, monitorSettings, zoneMonitors, zones } from '#server/db/schema/index.ts'
import { personLabelText } from '#server/db/columns.ts'
import { escapeLike } from '#shared/text.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'

type BotOwner = RawRow<typeof monitorSettings, 'ownerId'> & { botTokenSealed: string }

/** Owners with a bot and a chat. */
export const listBotOwners = (db: Queryable) =>
  db.execute<BotOwner>(sql`
    select s.owner_id, s.bot_token_sealed from monitor_settings s
    where s.bot_token_sealed is not null
      and exists (select from alert_channels c where c.owner_id = s.owner_id and c.kind = 'telegram' and c.enabled)
    order by s.owner_id`)

export type KnownChat = RawRow<typeof alertChannels, 'ownerId' | 'groupIds'> &
  RawRow<typeof monitorSettings, 'language'> & { ownerName: string; timeZone: string }

const settingsOfChat = sql`
  s.language, coalesce(s.quiet_hours ->> 'timeZone', (select value #>> '{}' from panel_settings where key = 'timeZone'), 'UTC') as time_zone`

/** The chat as configured by one of these owners; null: it is not configured and gets no answer. */
export async function findChat(db: Queryable, ownerIds: readonly string[], chatId: string): Promise<KnownChat | null> {
  const [row] = await db.execute<KnownChat>(sql`
    select c.owner_id, ${sql.raw(personLabelText('u'))} as owner_name, c.group_ids, ${settingsOfChat}
    from alert_channels c join users u on u.id = c.owner_id join monitor_settings s on s.owner_id = c.owner_id
    where c.kind = 'telegram' and c.enabled and c.chat_id = ${chatId} and u.disabled_at is null and c.owner_id = any(${sql.param([...ownerIds])}::uuid[])
    order by c.main desc, c.id limit 1`)
  return row ?? null
}

type SentMessage = KnownChat & { body: unknown }

/**
 * A message of one of these owners sent to that chat. A channel addressed by name has a numeric id at Telegram, so there the message's id is the
 * proof.
 */
export async function findSentMessage(
  db: Queryable,
  message: { readonly id: string; readonly ownerIds: readonly string[]; readonly chatId: string; readonly externalId: string },
): Promise<SentMessage | null> {
  const [row] = await db.execute<SentMessage>(sql`
    select c.owner_id, ${sql.raw(personLabelText('u'))} as owner_name, c.group_ids, ${settingsOfChat}, o.body
    from outbox o join alert_channels c on c.id = o.channel_id join users u on u.id = c.owner_id join monitor_settings s on s.owner_id = c.owner_id
    where o.id = ${message.id}::uuid and c.kind = 'telegram' and c.enabled and u.disabled_at is null
      and c.owner_id = any(${sql.param([...message.ownerIds])}::uuid[])
      and (c.chat_id = ${message.chatId} or (c.chat_id like '@%' and o.external_id = ${message.externalId}))`)
  return row ?? null
}

export type HealthCounts = Record<(typeof zoneMonitors.$inferSelect)['health'], number>

/** `groupIds` null: all groups. */
const ofGroups = (column: ReturnType<typeof sql.raw>, groupIds: readonly string[] | null) =>
  groupIds === null ? sql`` : sql`and ${column} = any(${sql.param([...groupIds])}::uuid[])`

export async function countHealth(db: Queryable, ownerId: string, groupIds: readonly string[] | null): Promise<HealthCounts> {
  const [row] = await db.execute<HealthCounts>(sql`
    select (count(*) filter (where health = 'ok'))::int as ok, (count(*) filter (where health = 'warnings'))::int as warnings,
      (count(*) filter (where health = 'critical'))::int as critical, (count(*) filter (where health = 'unknown'))::int as unknown
    from zone_monitors m where m.owner_id = ${ownerId}::uuid ${ofGroups(sql.raw('m.group_id'), groupIds)}`)
  return row ?? { ok: 0, warnings: 0, critical: 0, unknown: 0 }
}

export type OpenTrouble = RawRow<typeof incidents, 'cause'> & {
  health: 'warnings' | 'critical'
  incidents: number
  names: string[]
  reasons: Reason[]
  since: string
}

/** Current problems by cause: the most severe and largest first. */
export const listTroubles = (db: Queryable, ownerId: string, groupIds: readonly string[] | null, limit: number) =>
  db.execute<OpenTrouble>(sql`
    select cause, max(health) as health, count(*)::int as incidents, (array_agg(name order by id))[1:3] as names,
      (array_agg(reasons order by id))[1] as reasons, min(opened_at) as since
    from incidents i where i.owner_id = ${ownerId}::uuid and i.closed_at is null ${ofGroups(sql.raw('i.group_id'), groupIds)}
    group by cause order by bool_or(health = 'critical') desc, count(*) desc, cause limit ${limit}`)

export type FoundZone = RawRow<typeof zones, 'id' | 'name' | 'health'> &
  Joined<typeof zoneMonitors, 'since' | 'mutedUntil'> & { watched: boolean; reasons: Reason[] | null }

/** Names that contain the text; an exact match first. */
export const findZones = (db: Queryable, ownerId: string, groupIds: readonly string[] | null, text: string, limit: number) =>
  db.execute<FoundZone>(sql`
    select z.id, z.name, m.zone_id is not null as watched, coalesce(m.health, 'unknown') as health, m.reasons, m.since,
      case when isfinite(m.muted_until) then m.muted_until end as muted_until
    from zones z left join zone_monitors m on m.zone_id = z.id
    where z.owner_id = ${ownerId}::uuid and z.gone_at is null and z.name like ${`%${escapeLike(text)}%`}
      ${ofGroups(sql.raw('z.group_id'), groupIds)}
    order by z.name = ${text} desc, z.name limit ${limit}`)
