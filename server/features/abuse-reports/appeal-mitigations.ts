import type { z } from 'zod'
import { openZone } from '#server/features/domains/index.ts'
import { findAccount, findProviderAccount, openAccount } from '#server/features/sync/index.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { AppealReason, abuseReportAnswer, appealMitigationsInput } from '#shared/features/abuse-reports/schema.ts'
import { findReportForUpdate } from './abuse-reports.repo.ts'
import type { AbuseRow } from './abuse-reports.repo.ts'
import { insertAppeal, listAppeals, updateAppealEnded } from './appeals.repo.ts'
import { getAbuseReport, getAccessibleReport } from './list-abuse-reports.ts'

type Input = z.output<typeof appealMitigationsInput>

const refuse = (message: string) => new AppError('validation_failed', { issues: [{ path: 'mitigationIds', message }] })

const activityReasons = { removed: 'content_removed', misclassified: 'misclassified' } as const satisfies Record<AppealReason, string>

/** What those may appeal who operate only the domain. All others affect the account. */
const ofDomain: ReadonlySet<string> = new Set(['zone', 'url_pattern'])

/** Who may operate the domain may appeal for it, also if its account is not shared. */
async function openReport(ctx: Ctx, { accountId, domainId }: AbuseRow) {
  const { connection } = await (domainId === null ? openAccount(ctx, accountId) : openZone(ctx, domainId))
  const account = await findAccount(ctx.db.orm, accountId)
  if (account === null) throw new AppError('not_found')
  const providerAccountId = await findProviderAccount(ctx.db.orm, account)
  if (providerAccountId === null) {
    throw new AppError('redirect_account_unclear', { params: { accounts: account.providerAccountIds.length } })
  }
  return { connection, providerAccountId }
}

/**
 * Asks the provider to review mitigations of a report. It is sent once: if the answer is lost, the outcome is unknown, and only a person sends it again.
 * @throws AppError not_found, level_too_low, validation_failed if one of the mitigations cannot be appealed, conflict while one is being sent, and
 * the provider's refusal
 */
export async function appealMitigations(ctx: Ctx, { id, mitigationIds, reason }: Input): Promise<z.output<typeof abuseReportAnswer>> {
  const row = await getAccessibleReport(ctx, id, 'operate')
  const { connection, providerAccountId } = await openReport(ctx, row)
  const level = await findLevel(ctx, { ownerId: row.ownerId, accountId: row.accountId })
  const operatesAccount = level !== null && isAtLeast(level, 'operate')
  const ids = [...new Set(mitigationIds)]
  const appealId = await ctx.db.orm.transaction(async (tx) => {
    const report = await findReportForUpdate(tx, id)
    if (report === null) throw new AppError('not_found')
    const open = new Set(report.mitigations.flatMap((each) => (each.status === 'active' || each.status === 'pending' ? [each.id] : [])))
    if (!ids.every((each) => open.has(each))) throw refuse('appeal_mitigation')
    const isOfAccount = report.mitigations.some((each) => ids.includes(each.id) && !ofDomain.has(each.entityType))
    if (isOfAccount && !operatesAccount) throw new AppError('level_too_low')
    const earlier = (await listAppeals(tx, id)).filter(({ mitigationIds: others }) => others.some((each) => ids.includes(each)))
    if (earlier.some(({ state }) => state === 'sending')) throw new AppError('conflict')
    if (earlier.some(({ state }) => state === 'sent')) throw refuse('appeal_sent')
    await audit(tx, ctx, {
      action: 'update',
      entityType: row.domainId === null ? 'account' : 'zone',
      entityId: row.domainId ?? row.accountId,
      entityName: row.domain,
      ownerId: row.ownerId,
      // Written before it is sent; the outcome is in the report.
      details: { abuseReport: row.reportId, appeal: activityReasons[reason], mitigations: ids.length },
    })
    return insertAppeal(tx, { reportId: id, mitigationIds: ids, reason, sentBy: ctx.actor.name })
  })
  try {
    const reviewed = await connection.appealMitigations(
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
