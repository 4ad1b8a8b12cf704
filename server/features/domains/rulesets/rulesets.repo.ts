import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Queryable } from '#server/db/client.ts'
import { zoneRulesets } from '#server/db/schema/index.ts'
import { storedPageRules, storedRuleset } from './stored-rulesets.ts'
import type { RulesetMirror } from './stored-rulesets.ts'

const rulesets = z.array(storedRuleset)
const select = (db: Queryable, domainId: string) => db.select().from(zoneRulesets).where(eq(zoneRulesets.domainId, domainId))

function toMirror(row: Awaited<ReturnType<typeof select>>[number] | undefined): RulesetMirror | null {
  if (row === undefined) return null
  const [stored, pageRules] = [rulesets.safeParse(row.rulesets), storedPageRules.safeParse(row.pageRules)]
  // Written by another version of the panel: it is read again.
  return stored.success && pageRules.success ? { rulesets: stored.data, pageRules: pageRules.data, readAt: row.readAt } : null
}

/** Null before the first reading. */
export const findRulesets = async (db: Queryable, domainId: string): Promise<RulesetMirror | null> =>
  toMirror((await select(db, domainId))[0])

/** By zone, those that have been read. */
export async function listRulesetMirrors(db: Queryable, domainIds: readonly string[]): Promise<Map<string, RulesetMirror>> {
  const rows = await db
    .select()
    .from(zoneRulesets)
    .where(sql`${zoneRulesets.domainId} = any(${sql.param([...domainIds])}::uuid[])`)
  return new Map(
    rows.flatMap((row) => {
      const mirror = toMirror(row)
      return mirror === null ? [] : [[row.domainId, mirror]]
    }),
  )
}

/** Locks the row until the end of the transaction. */
export const lockRulesets = async (tx: Queryable, domainId: string): Promise<RulesetMirror | null> =>
  toMirror((await select(tx, domainId).for('no key update'))[0])

export async function upsertRulesets(db: Queryable, domainId: string, mirror: RulesetMirror): Promise<void> {
  const { rulesets: read, pageRules, readAt } = mirror
  await db
    .insert(zoneRulesets)
    .values({ domainId, rulesets: read, pageRules, readAt })
    .onConflictDoUpdate({
      target: zoneRulesets.domainId,
      set: { rulesets: sql`excluded.rulesets`, pageRules: sql`excluded.page_rules`, readAt: sql`excluded.read_at` },
    })
}
