import { domainToASCII, domainToUnicode } from 'node:url'
import type { z } from 'zod'
import { requireZone } from '#server/features/domains/index.ts'
import { findLevel, getSharedScope, requireLevel } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { readTimeCursor } from '#server/platform/time-cursor.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type {
  AbuseReport,
  abuseReportAnswer,
  listAbuseReportsInput,
  listAbuseReportsOutput,
} from '#shared/features/abuse-reports/schema.ts'
import { findAccountOwner, findDetails, findReport, listAssignees, listReports } from './abuse-reports.repo.ts'
import type { AbuseRow, AbuseScope } from './abuse-reports.repo.ts'
import { listAppeals } from './appeals.repo.ts'

type Input = z.output<typeof listAbuseReportsInput>

/** @throws AppError not_found for a domain or an account without access */
async function getScope(ctx: Ctx, { accountId, domainId }: Input): Promise<AbuseScope> {
  if (domainId !== undefined) {
    await requireZone(ctx, domainId, 'view')
    return { domainId, accountId }
  }
  if (accountId !== undefined) {
    const ownerId = await findAccountOwner(ctx.db, accountId)
    if (ownerId === null) throw new AppError('not_found')
    await requireLevel(ctx, { ownerId, accountId }, 'view')
    return { accountIds: [accountId], owners: [] }
  }
  if (ctx.actor.role === 'admin') return { everybody: true }
  return { accountIds: (await getSharedScope(ctx))?.accountIds ?? [], owners: [ctx.actor.userId] }
}

export const toReport = (row: AbuseRow): AbuseReport => ({
  id: row.id,
  reportId: row.reportId,
  reportedAt: new Date(row.reportedAt).toISOString(),
  account: { id: row.accountId, name: row.accountName },
  domain: { id: row.domainId, name: row.domain, displayName: domainToUnicode(row.domain) || row.domain },
  kind: row.kind,
  status: row.status,
  acceptedUrls: row.acceptedUrls,
  mitigations: { active: row.active, pending: row.pending, inReview: row.inReview },
  state: row.state,
  assignee: row.assigneeId === null ? null : { id: row.assigneeId, name: row.assigneeName ?? '' },
  dueOn: row.dueOn,
  note: row.note,
})

const isAscii = (text: string | undefined) => text === undefined || /^[\x20-\x7e]*$/.test(text)

/** Domains are stored in Punycode, which has no parts of labels: labels that are not ASCII have to be complete. */
function searchable(text: string | undefined): string | undefined {
  const typed = text?.toLowerCase()
  if (typed === undefined || isAscii(typed)) return typed
  const labels = typed.split('.')
  const punycode = domainToASCII(typed)
  return punycode === '' ? typed : `${isAscii(labels[0]) ? '' : '.'}${punycode}${isAscii(labels.at(-1)) ? '' : '.'}`
}

/**
 * Abuse reports in the actor's own accounts and those shared with them, of one account or one domain, newest first.
 * @throws AppError not_found, validation_failed
 */
export async function listAbuseReports(ctx: Ctx, input: Input): Promise<z.output<typeof listAbuseReportsOutput>> {
  const { cursor, limit, search, kind, state } = input
  const after = readTimeCursor(cursor)
  const rows = await listReports(ctx.db, await getScope(ctx, input), { search: searchable(search), kind, state, after, limit: limit + 1 })
  const abuseReports = rows.slice(0, limit).map(toReport)
  const last = abuseReports.at(-1)
  return { abuseReports, nextCursor: rows.length > limit && last !== undefined ? `${last.reportedAt}_${last.id}` : null }
}

/**
 * A report that the actor has this access to.
 * @throws AppError not_found, level_too_low
 */
export async function getAccessibleReport(ctx: Ctx, id: string, level: 'view' | 'operate'): Promise<AbuseRow> {
  const row = await findReport(ctx.db, id)
  if (row === null) throw new AppError('not_found')
  // A domain that is shared without its account has its own reports.
  if (row.domainId !== null) await requireZone(ctx, row.domainId, level)
  else await requireLevel(ctx, { ownerId: row.ownerId, accountId: row.accountId }, level)
  return row
}

async function mayOperate(ctx: Ctx, { ownerId, accountId, groupId }: AbuseRow): Promise<boolean> {
  const level = await findLevel(ctx, { ownerId, accountId, groupId })
  return level !== null && isAtLeast(level, 'operate')
}

/**
 * Who can take care of it. Who has only the domain, without its account, does not see who else has access to the account, only themselves and
 * the present assignee.
 */
export async function findAssignees(ctx: Ctx, { ownerId, accountId, assigneeId }: AbuseRow) {
  const [level, people] = await Promise.all([
    findLevel(ctx, { ownerId, accountId }),
    listAssignees(ctx.db, { id: accountId, ownerId }, ctx.actor.userId),
  ])
  return level === null ? people.filter(({ id }) => id === ctx.actor.userId || id === assigneeId) : [...people]
}

/** @throws AppError not_found */
export async function getAbuseReport(ctx: Ctx, { id }: { readonly id: string }): Promise<z.output<typeof abuseReportAnswer>> {
  const row = await getAccessibleReport(ctx, id, 'view')
  const [worksOnIt, details, appeals, assignees] = await Promise.all([
    mayOperate(ctx, row),
    findDetails(ctx.db, id),
    listAppeals(ctx.db.orm, id),
    findAssignees(ctx, row),
  ])
  if (details === null) throw new AppError('not_found')
  const { submitter, urls, mitigations, mitigationsReadAt, ...texts } = details
  return {
    abuseReport: {
      ...toReport(row),
      details: {
        ...texts,
        submitter: worksOnIt ? submitter : null,
        mayEdit: worksOnIt,
        urls: [...urls],
        mitigations: [...mitigations],
        appeals: appeals.map(({ mitigationIds, sentAt, ...appeal }) => ({
          ...appeal,
          mitigationIds: [...mitigationIds],
          sentAt: sentAt.toISOString(),
        })),
        mitigationsReadAt: mitigationsReadAt?.toISOString() ?? null,
        assignees: worksOnIt ? assignees : [],
      },
    },
  }
}
