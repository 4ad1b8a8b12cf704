import { currentFence, NotConfirmed } from '#server/platform/write-fence.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts'
import { sendTraced } from './send-traced.ts'
import type { TracedProvider } from './send-traced.ts'

/**
 * As `sendTraced`, for writes: those of claimed work are sent only while the claim is certainly held, which is looked at once more when the connection is
 * there.
 * @throws the reason for which the claim was lost; then nothing was sent
 */
export async function sendFenced(http: HttpClient, provider: TracedProvider, template: string, request: HttpRequest): Promise<HttpAnswer> {
  const fence = currentFence()
  if (fence === undefined) return sendTraced(http, provider, template, request)
  for (;;) {
    await fence.confirm()
    try {
      return await sendTraced(http, provider, template, { ...request, beforeWrite: () => fence.check() })
    } catch (error) {
      // The connection took long. It is there now.
      if (!(error instanceof NotConfirmed)) throw error
    }
  }
}
