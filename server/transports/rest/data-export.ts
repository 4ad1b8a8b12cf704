import { Readable } from 'node:stream'
import { callTRPCProcedure } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/platform/context.ts'
import { requestContext } from '#server/transports/request-context.ts'
import { coerceQuery } from '#server/transports/rest/coerce-query.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { exportDataInput, exportDataOutput } from '#shared/features/me/schema.ts'

/** What the OpenAPI document says of the answer. */
export const dataExportContent = { 'application/json': { schema: { type: 'object', additionalProperties: true } } } as const

/** `/api/me/export`: all parts of `me.export` in one answer, each read when the one before is on its way. */
export function dataExport(app: FastifyInstance, services: Services): void {
  app.get('/api/me/export', async (request, reply) => {
    const abort = new AbortController()
    reply.raw.once('close', () => abort.abort())
    const query = coerceQuery(exportDataInput, request.query as Record<string, string | string[]>)
    // Who asks is found anew for each part: an export that takes minutes ends with the session.
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
    // Who may not ask is refused here, before anything is sent.
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
