import type { z } from 'zod'
import { openAccountOfJob } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { abuseReportAnswer, appealMitigationsInput } from '#shared/features/abuse-reports/schema.ts'
import { findReportForUpdate } from './abuse-reports.repo.ts'
import { insertAppeal, listAppeals, updateAppealEnded } from './appeals.repo.ts'
import { getAbuseReport, getAccessibleReport } from './list-abuse-reports.ts'

type Input = z.output<typeof appealMitigationsInput>

const refuse = (message: string) => new AppError('validation_failed', { issues: [{ path: 'mitigationIds', message }] })

/**
 * Asks the provider to review mitigations of a report. It is sent once: if the answer is lost, the outcome is unknown, and only a person sends it again.
 * @throws AppError not_found, level_too_low, validation_failed if one of the mitigations cannot be appealed, conflict while one is being sent, and
 * the provider's refusal
 */
export async function appealMitigations(ctx: Ctx, { id, mitigationIds, reason }: Input): Promise<z.output<typeof abuseReportAnswer>> {
  const row = await getAccessibleReport(ctx, id, 'operate')
  // Who may operate the domain may appeal for it, also if its account is not shared.
  const account = await openAccountOfJob(ctx, row.accountId)
  if (account === null) throw new AppError('not_found')
  const providerAccountId = await account.providerAccountId({ priority: 'person' })
  const ids = [...new Set(mitigationIds)]
  const appealId = await ctx.db.orm.transaction(async (tx) => {
    const report = await findReportForUpdate(tx, id)
    if (report === null) throw new AppError('not_found')
    const open = new Set(report.mitigations.flatMap((each) => (each.status === 'active' || each.status === 'pending' ? [each.id] : [])))
    if (!ids.every((each) => open.has(each))) throw refuse('appeal_mitigation')
    const earlier = (await listAppeals(tx, id)).filter(({ mitigationIds: others }) => others.some((each) => ids.includes(each)))
    if (earlier.some(({ state }) => state === 'sending')) throw new AppError('conflict')
    if (earlier.some(({ state }) => state === 'sent')) throw refuse('appeal_sent')
    await audit(tx, ctx, {
      action: 'update',
      entityType: row.domainId === null ? 'account' : 'zone',
      entityId: row.domainId ?? row.accountId,
      entityName: row.domain,
      ownerId: row.ownerId,
      details: { abuseReport: row.reportId, appeal: reason, mitigations: ids.length },
    })
    return insertAppeal(tx, { reportId: id, mitigationIds: ids, reason, sentBy: ctx.actor.name })
  })
  try {
    const reviewed = await account.connection.appealMitigations(
      providerAccountId,
      row.reportId,
      { mitigationIds: ids, reason },
      { priority: 'person' },
    )
    await updateAppealEnded(ctx.db, appealId, { state: 'sent', message: null, reviewed })
  } catch (error) {
    const state = error instanceof AppError && !error.isUnclear ? 'refused' : 'unknown'
    await updateAppealEnded(ctx.db, appealId, {
      state,
      message: error instanceof AppError ? (error.provider?.message ?? null) : null,
      reviewed: [],
    })
    throw error
  } finally {
    await ctx.events.publish(ctx.db.orm, row.ownerId, 'reports', [row.accountId])
  }
  return getAbuseReport(ctx, { id })
}
