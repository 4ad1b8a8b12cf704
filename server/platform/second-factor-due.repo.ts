import type { Sql } from '#server/db/client.ts'

/** Whether the person `u` of a statement has a second factor. */
export const hasSecondFactor = (sql: Sql) => sql`(
  exists (select from totp f where f.user_id = u.id and f.confirmed_at is not null)
  or exists (select from passkeys f where f.user_id = u.id))`

/** Whether the panel asks a second factor of the person `u` of a statement, who has none: for whatever finds who is asking. */
export const secondFactorDue = (sql: Sql) => sql`(
  case (select value #>> '{}' from panel_settings where key = 'twoFactor') when 'everyone' then true when 'admins' then u.role = 'admin' else false end
  and not ${hasSecondFactor(sql)})`
