/** Sends alerts to users' webhooks. */

interface WebhookCall {
  readonly url: string
  /** The secret with which the receiver verifies the signature. */
  readonly secret: string
  /** Lets the receiver recognize a repeated event. */
  readonly eventId: string
  /** JSON. */
  readonly body: string
  /** Time of the signature in seconds since 1970. */
  readonly atSeconds: number
}

export type WebhookDelivery =
  | { readonly state: 'sent' }
  /** A response with a status other than 2xx; `afterSeconds` if it asked to wait. */
  | { readonly state: 'refused'; readonly status: number; readonly afterSeconds: number | null }
  /** The URL is not permitted: a private network, or not http(s). */
  | { readonly state: 'forbidden'; readonly message: string }
  /** No complete response; the outcome is unknown. */
  | { readonly state: 'unknown'; readonly message: string }
  /** Certainly not sent. */
  | { readonly state: 'unreached'; readonly message: string }

export interface WebhookSender {
  /** Never throws; bounded in time and memory, follows no redirects. */
  send(call: WebhookCall): Promise<WebhookDelivery>
  close(): Promise<void>
}
