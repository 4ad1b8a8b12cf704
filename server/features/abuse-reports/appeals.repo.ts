import { eq, sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import { abuseAppeals, abuseReports } from '#server/db/schema/index.ts'
import type { Appeal, AppealReason, Mitigation } from '#shared/features/abuse-reports/schema.ts'

/** Sending takes less; a process that died meanwhile does not know the outcome. */
const sendingMinutes = 5

/** The appeals of a report, latest first. */
export async function listAppeals(db: Queryable, reportId: string) {
  const { id, mitigationIds, reason, message, sentBy, sentAt } = abuseAppeals
  return db
    .select({
      id,
      mitigationIds,
      reason,
      state: sql<
        Appeal['state']
      >`case when ${abuseAppeals.state} = 'sending' and ${sentAt} < now() - ${sendingMinutes} * interval '1 minute'
        then 'unknown' else ${abuseAppeals.state}::text end`,
      message,
      sentBy,
      sentAt,
    })
    .from(abuseAppeals)
    .where(eq(abuseAppeals.reportId, reportId))
    .orderBy(sql`${sentAt} desc`, sql`${id} desc`)
    .limit(50)
}

/** Before it is sent, so that it is never forgotten. */
export async function insertAppeal(
  tx: Queryable,
  appeal: { readonly reportId: string; readonly mitigationIds: readonly string[]; readonly reason: AppealReason; readonly sentBy: string },
): Promise<string> {
  const [row] = await tx.insert(abuseAppeals).values(appeal).returning({ id: abuseAppeals.id })
  if (row === undefined) throw new Error('the appeal was not stored')
  return row.id
}

/** The outcome, with the states of mitigations that the provider answered. They are read again later, also after a refusal. */
export async function updateAppealEnded(
  { orm }: Database,
  id: string,
  {
    state,
    message,
    reviewed,
  }: { readonly state: Appeal['state']; readonly message: string | null; readonly reviewed: readonly Mitigation[] },
): Promise<void> {
  await orm.transaction(async (tx) => {
    const [appeal] = await tx
      .update(abuseAppeals)
      .set({ state, message })
      .where(eq(abuseAppeals.id, id))
      .returning({ reportId: abuseAppeals.reportId })
    if (appeal === undefined) return
    const [report] = await tx.select().from(abuseReports).where(eq(abuseReports.id, appeal.reportId)).for('no key update')
    if (report === undefined) return
    const answered = new Map(reviewed.map((each) => [each.id, each]))
    const mitigations = report.mitigations.map((each) => answered.get(each.id) ?? each)
    const count = (status: Mitigation['status']) => mitigations.filter((each) => each.status === status).length
    await tx
      .update(abuseReports)
      .set({
        mitigations,
        mitigationsDue: true,
        ...(reviewed.length > 0 ? { active: count('active'), pending: count('pending'), inReview: count('in_review') } : {}),
      })
      .where(eq(abuseReports.id, report.id))
  })
}
