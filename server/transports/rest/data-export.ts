import { Readable } from 'node:stream'
import { callTRPCProcedure } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/platform/context.ts'
import { requestContext } from '#server/transports/request-context.ts'
import { coerceQuery } from '#server/transports/rest/coerce-query.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { exportDataInput, exportDataOutput } from '#shared/features/me/schema.ts'

/** The description of the response in the OpenAPI document. */
export const dataExportContent = { 'application/json': { schema: { type: 'object', additionalProperties: true } } } as const

/** `/api/me/export`: all parts of `me.export` in one response; each part is read after the previous one was sent. */
export function dataExport(app: FastifyInstance, services: Services): void {
  app.get('/api/me/export', async (request, reply) => {
    const abort = new AbortController()
    reply.raw.once('close', () => abort.abort())
    const query = coerceQuery(exportDataInput, request.query as Record<string, string | string[]>)
    // Each part authenticates again, so that a long export ends with the session.
    const part = async (cursor: string | null) =>
      exportDataOutput.parse(
        await callTRPCProcedure({
          router: appRouter,
          path: 'me.export',
          type: 'query',
          ctx: await requestContext(services, request),
          getRawInput: () => Promise.resolve({ ...query, ...(cursor !== null && { cursor }) }),
          signal: abort.signal,
          batchIndex: 0,
        }),
      )
    // Missing permissions are reported here, before anything is sent.
    const first = await part(null)
    const parts = async function* () {
      for (let { text, nextCursor } = first; ; { text, nextCursor } = await part(nextCursor)) {
        yield text
        if (nextCursor === null || abort.signal.aborted) return
      }
    }
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="zonedeck-export.json"')
      .send(Readable.from(parts(), { objectMode: false }))
  })
}
