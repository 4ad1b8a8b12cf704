import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { refused } from '#server/integrations/http/provider-client.ts'
import * as wire from './wire.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  '1010101': 'registrar_auth',
  '1010102': 'registrar_auth',
  '1011102': 'registrar_auth',
  '1016103': 'registrar_auth',
  '1017103': 'registrar_auth',
  '1019103': 'registrar_auth',
  '1017101': 'registrar_forbidden',
  '1017105': 'registrar_address',
  '1017410': 'registrar_forbidden',
  '1017411': 'registrar_forbidden',
  '4011103': 'registrar_forbidden',
  '1010105': 'registrar_address',
  '1011105': 'registrar_address',
  '1011150': 'registrar_address',
  '1017150': 'registrar_address',
  '2019166': 'registrar_not_found',
  '2016166': 'registrar_not_found',
  '2020166': 'registrar_expired',
  '3019166': 'registrar_name_taken',
  '4019166': 'registrar_name_taken',
  '2011280': 'registrar_not_sold',
  '2030280': 'registrar_not_sold',
  '2010323': 'registrar_contact',
  '2010324': 'registrar_contact',
  '2011322': 'registrar_contact',
  '2015182': 'registrar_contact',
  // Refused name servers; the message names them.
  '2011168': 'registrar_rejected',
  // The order was not created, for any reason; the message shows whether it was the balance.
  '2528166': 'registrar_rejected',
  // Its own price differs from that of the order.
  '2515610': 'registrar_price_changed',
  '2515623': 'registrar_price_changed',
  // The registry did not respond: a look-up shows the result of the order.
  '3028166': 'registrar_unavailable',
  '3031166': 'registrar_unavailable',
  '3031900': 'registrar_unavailable',
  '3050900': 'registrar_unavailable',
  '5019169': 'registrar_unavailable',
  '5050169': 'registrar_unavailable',
  '5050900': 'registrar_unavailable',
}

/** Throttling is reported as HTTP 405 without details. */
const throttledSeconds = 60

export const isNotSold = (number: string): boolean => codes[number] === 'registrar_not_sold'

/** The content of a success: errors arrive with HTTP 200. */
export function accepted(answer: HttpAnswer, parseXml: (text: string) => unknown): unknown {
  if (answer.status === 405 || answer.status === 429) {
    throw refused({ code: 'registrar_rate_limited', providerCode: String(answer.status), message: '', retryAfterSeconds: throttledSeconds })
  }
  if (answer.status >= 500) throw new AppError('registrar_unavailable')
  const { ApiResponse } = wire.envelope.parse(parseXml(answer.text))
  if (ApiResponse.Status.toUpperCase() === 'OK') return ApiResponse.CommandResponse
  const errors = ApiResponse.Errors?.Error ?? []
  const number = errors[0]?.Number ?? ''
  const message = errors.map(({ text }) => text ?? '').join('; ')
  const known = codes[number] ?? 'registrar_rejected'
  throw refused({
    // There is not an error code for this.
    code:
      known === 'registrar_rejected' && /insufficient (funds|balance)|not enough (funds|money)/i.test(message) ? 'registrar_money' : known,
    providerCode: number === '' ? null : number,
    message,
  })
}
