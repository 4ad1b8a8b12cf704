import { Readable } from 'node:stream'
import { callTRPCProcedure } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Services } from '#server/platform/context.ts'
import { requestContext } from '#server/transports/request-context.ts'
import { coerceQuery } from '#server/transports/rest/coerce-query.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { activityEntry, exportActivityInput, exportActivityOutput } from '#shared/features/activity/schema.ts'

const files = {
  csv: { type: 'text/csv; charset=utf-8', begin: '', between: '', end: '' },
  json: { type: 'application/json; charset=utf-8', begin: '{"activityLogs":[', between: ',', end: ']}' },
} as const

/** The description of the response in the OpenAPI document. */
export const activityExportContent = {
  'text/csv': { schema: { type: 'string' } },
  'application/json': { schema: z.toJSONSchema(z.object({ activityLogs: z.array(activityEntry) }), { io: 'output' }) },
} as const

/** The format if the query names none: JSON if the client accepts JSON but not CSV. */
const formatOf = ({ headers: { accept = '' } }: FastifyRequest) =>
  accept.includes('application/json') && !accept.includes('text/csv') ? 'json' : 'csv'

/** `/api/activity-logs/export`: all parts of `activity.export` in one response; each part is read after the previous one was sent. */
export function activityExport(app: FastifyInstance, services: Services): void {
  app.get('/api/activity-logs/export', async (request, reply) => {
    const abort = new AbortController()
    reply.raw.once('close', () => abort.abort())
    const query = { format: formatOf(request), ...coerceQuery(exportActivityInput, request.query as Record<string, string | string[]>) }
    // Each part authenticates again, so that a long export ends with the session.
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
    // Errors are reported here, before anything is sent.
    const first = await part({})
    const format = exportActivityInput.shape.format.parse(query.format)
    const { type, begin, between, end } = files[format]
    const rest = async function* () {
      yield begin
      let separator = ''
      for (let { text, nextCursor } = first; ; { text, nextCursor } = await part({ cursor: nextCursor })) {
        if (text !== '') {
          yield `${separator}${text}`
          separator = between
        }
        if (abort.signal.aborted) return
        if (nextCursor === null) break
      }
      yield end
    }
    return reply
      .type(type)
      .header('vary', 'accept')
      .header('content-disposition', `attachment; filename="activity-logs.${format}"`)
      .send(Readable.from(rest(), { objectMode: false }))
  })
}
