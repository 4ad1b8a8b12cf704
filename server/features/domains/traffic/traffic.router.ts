import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { trafficTotalsInput, trafficTotalsOutput } from '#shared/features/domains/traffic-totals.ts'
import { listTrafficTotals } from './list-totals.ts'

export const trafficRouter = t.router({
  totals: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/traffic/totals',
        tags: ['Domains'],
        summary: 'List the traffic of accounts or groups',
        description:
          'Of the last whole day, of seven days, and of 30 days, the most requests first. The figures are read from Cloudflare once a day.',
      },
    })
    .input(trafficTotalsInput)
    .output(trafficTotalsOutput)
    .query(({ ctx, input }) => listTrafficTotals(ctx, input)),
})
