/** Brings alerts to a program of somebody's. */

interface WebhookCall {
  readonly url: string
  /** What the receiver checks the signature with. */
  readonly secret: string
  /** The receiver sees from it that it has this event already. */
  readonly eventId: string
  /** JSON. */
  readonly body: string
  /** Of the signature; seconds since 1970. */
  readonly atSeconds: number
}

export type WebhookDelivery =
  | { readonly state: 'sent' }
  /** It answered with another status than 2xx; `afterSeconds` where it asked to wait. */
  | { readonly state: 'refused'; readonly status: number; readonly afterSeconds: number | null }
  /** The address leads where nothing may be sent to: a private network, or no http(s). */
  | { readonly state: 'forbidden'; readonly message: string }
  /** No whole answer came; nobody knows whether it arrived. */
  | { readonly state: 'unknown'; readonly message: string }
  /** It certainly was not sent. */
  | { readonly state: 'unreached'; readonly message: string }

export interface WebhookSender {
  /** Never throws; bounded in time and memory, follows no redirects. */
  send(call: WebhookCall): Promise<WebhookDelivery>
  close(): Promise<void>
}
