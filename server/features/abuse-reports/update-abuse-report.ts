import type { z } from 'zod'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { AbuseReport, updateAbuseReportInput } from '#shared/features/abuse-reports/schema.ts'
import { findReportForUpdate, updateReport } from './abuse-reports.repo.ts'
import { findAssignees, getAccessibleReport, toReport } from './list-abuse-reports.ts'

type Input = z.output<typeof updateAbuseReportInput>

/**
 * Updates what people note about a report: how far they are, who takes care of it, until when, and a note.
 * @throws AppError not_found, level_too_low, validation_failed for a person without access to the account
 */
export async function updateAbuseReport(ctx: Ctx, { id, ...given }: Input): Promise<{ abuseReport: AbuseReport }> {
  const row = await getAccessibleReport(ctx, id, 'operate')
  const assignees = await findAssignees(ctx, row)
  const nameOf = (userId: string | null) => assignees.find((each) => each.id === userId)?.name ?? null
  await ctx.db.orm.transaction(async (tx) => {
    const before = await findReportForUpdate(tx, id)
    if (before === null) throw new AppError('not_found')
    const { assigneeId = before.assigneeId } = given
    if (assigneeId !== null && assigneeId !== before.assigneeId && nameOf(assigneeId) === null) {
      throw new AppError('validation_failed', { issues: [{ path: 'assigneeId', message: 'abuse_assignee' }] })
    }
    const noted = {
      state: given.state ?? before.state,
      assigneeId,
      dueOn: given.dueOn === undefined ? before.dueOn : given.dueOn,
      note: given.note === undefined ? before.note : given.note || null,
    }
    const changes = {
      ...(noted.state === before.state ? {} : { abuseState: { from: before.state, to: noted.state } }),
      ...(assigneeId === before.assigneeId ? {} : { user: { from: row.assigneeName, to: nameOf(assigneeId) } }),
      ...(noted.dueOn === before.dueOn ? {} : { dueOn: { from: before.dueOn, to: noted.dueOn } }),
      ...(noted.note === before.note ? {} : { comment: { from: before.note, to: noted.note } }),
    }
    if (Object.keys(changes).length === 0) return
    await updateReport(tx, id, noted)
    await audit(tx, ctx, {
      action: 'update',
      entityType: row.domainId === null ? 'account' : 'zone',
      entityId: row.domainId ?? row.accountId,
      entityName: row.domain,
      ownerId: row.ownerId,
      details: { abuseReport: row.reportId, ...changes },
    })
    await ctx.events.publish(tx, row.ownerId, 'reports', [row.accountId])
  })
  return { abuseReport: toReport(await getAccessibleReport(ctx, id, 'operate')) }
}
