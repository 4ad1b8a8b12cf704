import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  abuseReportAnswer,
  abuseReportIdInput,
  listAbuseReportsInput,
  listAbuseReportsOutput,
  updateAbuseReportInput,
  updateAbuseReportOutput,
} from '#shared/features/abuse-reports/schema.ts'
import { getAbuseReport, listAbuseReports } from './list-abuse-reports.ts'
import { updateAbuseReport } from './update-abuse-report.ts'

const tags = ['Abuse reports']

export const abuseReportsRouter = t.router({
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/abuse-reports/{id}', tags, summary: 'Get an abuse report' } })
    .input(abuseReportIdInput)
    .output(abuseReportAnswer)
    .query(({ ctx, input }) => getAbuseReport(ctx, input)),
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/abuse-reports',
        tags,
        summary: 'List abuse reports',
        description: 'Reports of abuse that Cloudflare received about domains of your accounts, newest first.',
      },
    })
    .input(listAbuseReportsInput)
    .output(listAbuseReportsOutput)
    .query(({ ctx, input }) => listAbuseReports(ctx, input)),
  update: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/abuse-reports/{id}',
        tags,
        summary: 'Update an abuse report',
        description: 'Changes only what the panel notes about it. Absent fields stay unchanged; null clears a field.',
      },
    })
    .input(updateAbuseReportInput)
    .output(updateAbuseReportOutput)
    .mutation(({ ctx, input }) => updateAbuseReport(ctx, input)),
})
