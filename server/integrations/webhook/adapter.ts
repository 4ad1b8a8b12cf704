import { createHmac } from 'node:crypto'
import { createHttpClient, HttpError } from '#server/integrations/http/http-client.ts'
import { fenced } from '#server/integrations/http/send.ts'
import type { OutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import { ClaimLost } from '#server/platform/write-fence.ts'
import type { WebhookDelivery, WebhookSender } from '#server/ports/webhook-sender.ts'

const timeoutMs = 10_000
/** Only the status of the response is used. */
const maxBytes = 64_000

/**
 * Sends signed JSON to user-entered URLs, restricted to public addresses and those allowed by the operator. The header is
 * `X-Zonedeck-Signature: t=SECONDS,v1=HEX`, where HEX is HMAC-SHA256 of `SECONDS.BODY`.
 */
export function createWebhookSender(options: { readonly userAgent: string; readonly guard: OutboundGuard }): WebhookSender {
  const http = createHttpClient({ userAgent: options.userAgent, maxBytes, connectionsPerOrigin: 4, guard: options.guard })
  return {
    close: () => http.close(),
    send: async ({ url, secret, eventId, body, atSeconds }) => {
      try {
        const headers = {
          'content-type': 'application/json',
          'x-zonedeck-event': eventId,
          'x-zonedeck-signature': `t=${atSeconds},v1=${signatureOf(secret, atSeconds, body)}`,
        }
        const answer = await fenced({ method: 'POST', url, headers, body, headersTimeoutMs: timeoutMs, timeoutMs }, (checked) =>
          http.request(checked),
        )
        return answer.status >= 200 && answer.status < 300
          ? { state: 'sent' }
          : { state: 'refused', status: answer.status, afterSeconds: waitOf(answer.headers['retry-after']) }
      } catch (error) {
        return failed(error)
      }
    },
  }
}

export const signatureOf = (secret: string, atSeconds: number, body: string): string =>
  createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')

function waitOf(header: string | string[] | undefined): number | null {
  const seconds = typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : null
  return seconds === null ? null : Math.min(seconds, 3_600)
}

function failed(error: unknown): WebhookDelivery {
  if (error instanceof ClaimLost) return { state: 'unreached', message: 'claim lost' }
  const failure = error instanceof HttpError ? error.failure : 'lost'
  switch (failure) {
    case 'forbidden':
      return { state: 'forbidden', message: 'not a public address' }
    case 'unreached':
      return { state: 'unreached', message: failure }
    case 'lost':
    case 'timeout':
    case 'cut':
    case 'aborted':
    case 'redirects':
      return { state: 'unknown', message: failure }
    // It was accepted: only the response was too long.
    case 'too_large':
      return { state: 'sent' }
  }
}
