import { currentFence, NotConfirmed } from '#server/platform/write-fence.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts'
import { sendTraced } from './send-traced.ts'
import type { TracedProvider } from './send-traced.ts'

/** As `sendTraced`, for writes. */
export const sendFenced = (http: HttpClient, provider: TracedProvider, template: string, request: HttpRequest): Promise<HttpAnswer> =>
  fenced(request, (checked) => sendTraced(http, provider, template, checked))

/**
 * Writes of claimed work are sent only while the claim is certainly held, which is looked at once more when the connection is there.
 * @throws the reason for which the claim was lost; then nothing was sent
 */
export async function fenced(request: HttpRequest, send: (request: HttpRequest) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const fence = currentFence()
  if (fence === undefined) return send(request)
  for (;;) {
    await fence.confirm()
    try {
      return await send({ ...request, beforeWrite: () => fence.check() })
    } catch (error) {
      // The connection took long. It is there now.
      if (!(error instanceof NotConfirmed)) throw error
    }
  }
}
