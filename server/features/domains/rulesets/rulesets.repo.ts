import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { toJson } from '#server/db/client.ts'
import type { Queryable } from '#server/db/client.ts'
import { zoneRulesets } from '#server/db/schema/index.ts'
import { storedPageRules, storedRuleset } from './stored-rulesets.ts'
import type { RulesetMirror } from './stored-rulesets.ts'

const rulesets = z.array(storedRuleset)

function toMirror(row: typeof zoneRulesets.$inferSelect): RulesetMirror | null {
  const [stored, pageRules] = [rulesets.safeParse(row.rulesets), storedPageRules.safeParse(row.pageRules)]
  // Written by another version of the panel: it is read again.
  return stored.success && pageRules.success ? { rulesets: stored.data, pageRules: pageRules.data, readAt: row.readAt } : null
}

const toMirrors = (rows: readonly (typeof zoneRulesets.$inferSelect)[]): Map<string, RulesetMirror> =>
  new Map(
    rows.flatMap((row) => {
      const mirror = toMirror(row)
      return mirror === null ? [] : [[row.domainId, mirror]]
    }),
  )
const select = (db: Queryable, domainIds: readonly string[]) =>
  db
    .select()
    .from(zoneRulesets)
    .where(sql`${zoneRulesets.domainId} = any(${sql.param([...domainIds])}::uuid[])`)

/** By zone, those that have been read. */
export const listRulesetMirrors = async (db: Queryable, domainIds: readonly string[]): Promise<Map<string, RulesetMirror>> =>
  toMirrors(await select(db, domainIds))

/** Null before the first reading. */
export const findRulesets = async (db: Queryable, domainId: string): Promise<RulesetMirror | null> =>
  (await listRulesetMirrors(db, [domainId])).get(domainId) ?? null

/** The same, locked until the end of the transaction; in one order, so that processes do not block each other. */
export const lockRulesets = async (tx: Queryable, domainIds: readonly string[]): Promise<Map<string, RulesetMirror>> =>
  toMirrors(await select(tx, domainIds).orderBy(zoneRulesets.domainId).for('no key update'))

export async function upsertRulesets(
  db: Queryable,
  mirrors: readonly { readonly domainId: string; readonly mirror: RulesetMirror }[],
): Promise<void> {
  if (mirrors.length === 0) return
  const rows = mirrors.map(({ domainId, mirror }) => ({ domainId, ...mirror }))
  await db.execute(sql`
    insert into zone_rulesets (zone_id, rulesets, page_rules, read_at)
    select "domainId", rulesets, "pageRules", "readAt"
    from json_to_recordset(${toJson(rows)}::text::json) as r ("domainId" uuid, rulesets jsonb, "pageRules" jsonb, "readAt" timestamptz)
    order by "domainId"
    on conflict (zone_id) do update set rulesets = excluded.rulesets, page_rules = excluded.page_rules, read_at = excluded.read_at`)
}
