import { Readable } from 'node:stream'
import { callTRPCProcedure } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/platform/context.ts'
import { requestContext } from '#server/transports/request-context.ts'
import { coerceQuery } from '#server/transports/rest/coerce-query.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { exportActivityInput, exportActivityOutput } from '#shared/features/activity/schema.ts'

/** `/api/activity-logs.csv`: all parts of `activity.export` in one answer, each read when the one before is on its way. */
export function activityCsv(app: FastifyInstance, services: Services): void {
  app.get('/api/activity-logs.csv', async (request, reply) => {
    const abort = new AbortController()
    reply.raw.once('close', () => abort.abort())
    const query = coerceQuery(exportActivityInput, request.query as Record<string, string | string[]>)
    // Who asks is found anew for each part: an export that takes minutes ends with the session.
    const part = async (cursor: object) =>
      exportActivityOutput.parse(
        await callTRPCProcedure({
          router: appRouter,
          path: 'activity.export',
          type: 'query',
          ctx: await requestContext(services, request),
          getRawInput: () => Promise.resolve({ ...query, ...cursor }),
          signal: abort.signal,
          batchIndex: 0,
        }),
      )
    const first = await part({})
    const rest = async function* () {
      for (let { csv, nextCursor } = first; ; { csv, nextCursor } = await part({ cursor: nextCursor })) {
        yield csv
        if (nextCursor === null || abort.signal.aborted) return
      }
    }
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="activity-logs.csv"')
      .send(Readable.from(rest(), { objectMode: false }))
  })
}
