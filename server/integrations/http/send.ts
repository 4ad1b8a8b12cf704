import { traced } from '#server/platform/tracing.ts'
import { currentFence, NotConfirmed } from '#server/platform/write-fence.ts'
import { HttpError } from './http-client.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts'

interface TracedProvider {
  readonly name: string
  /** The URL is user input whose host may be their own domain, so the provider's name is reported instead. */
  readonly isTheirs: boolean
}

/**
 * Sends a request in its own span with the provider, the template and the outcome. Identifiers, queries, headers and bodies are not
 * reported.
 * @param template the path or the call's name, without identifiers
 */
export const sendTraced = (http: HttpClient, provider: TracedProvider, template: string, request: HttpRequest): Promise<HttpAnswer> =>
  traced(
    `${request.method} ${template}`,
    { kind: 'client', attributes: { 'zonedeck.provider': provider.name, 'http.request.method': request.method, 'url.template': template } },
    async (span) => {
      span?.note({ 'server.address': provider.isTheirs ? provider.name.toLowerCase() : new URL(request.url).hostname })
      try {
        const answer = await http.request(request)
        span?.note({ 'http.response.status_code': answer.status })
        if (answer.status >= 400) span?.fail(String(answer.status))
        return answer
      } catch (error) {
        if (error instanceof HttpError) span?.note({ 'zonedeck.failure': error.failure })
        throw error
      }
    },
  )

/** As `sendTraced`, for writes. */
export const sendFenced = (http: HttpClient, provider: TracedProvider, template: string, request: HttpRequest): Promise<HttpAnswer> =>
  fenced(request, (checked) => sendTraced(http, provider, template, checked))

/**
 * Writes of claimed work are sent only while the claim is certainly held, which is checked again once the connection is available.
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
      // The connection took long, and is available now.
      if (!(error instanceof NotConfirmed)) throw error
    }
  }
}
