import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  abuseReportAnswer,
  abuseReportIdInput,
  appealMitigationsInput,
  listAbuseReportsInput,
  listAbuseReportsOutput,
  updateAbuseReportInput,
  updateAbuseReportOutput,
} from '#shared/features/abuse-reports/schema.ts'
import { appealMitigations } from './appeal-mitigations.ts'
import { getAbuseReport, listAbuseReports } from './list-abuse-reports.ts'
import { updateAbuseReport } from './update-abuse-report.ts'

const tags = ['Abuse reports']

export const abuseReportsRouter = t.router({
  appeal: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/abuse-reports/{id}/appeal',
        tags,
        summary: 'Send an appeal of mitigations',
        description:
          'Asks Cloudflare to review them. Sent once: after an unknown outcome, look at the state of the mitigations before you send it again.',
      },
    })
    .input(appealMitigationsInput)
    .output(abuseReportAnswer)
    .mutation(({ ctx, input }) => appealMitigations(ctx, input)),
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
