import { TRPCClientError } from '@trpc/client'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { Texts } from '#shared/i18n/namespaces.ts'
import { i18next } from './i18n.ts'
import { sentences } from './text.ts'

/** `error.data` of a failed call, as sent by the server. */
interface CallErrorData {
  code: ErrorCode
  httpStatus: number
  retryable: boolean
  params: Readonly<Record<string, string | number>>
  issues?: readonly Issue[]
  provider?: { code?: string; message: string }
  requestId: string | null
}

export interface Issue {
  path: string
  /** A key of the `validation` or `faults` texts. */
  message: string
  params?: Readonly<Record<string, string | number>>
}

/** The kind of an error, by what can be done about it. */
type Failure =
  | { kind: 'no_response' }
  | { kind: 'answered'; data: CallErrorData }
  | { kind: 'cancelled' }
  /** Not sent, because it was chosen in an outdated state. */
  | { kind: 'outdated' }
  | { kind: 'unknown' }

/** A change that is not sent, because it was chosen in an outdated state. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError'
}

export function failureOf(error: unknown): Failure {
  if (error instanceof OutdatedError) return { kind: 'outdated' }
  if (!(error instanceof TRPCClientError)) return { kind: 'unknown' }
  const data = error.data as CallErrorData | undefined
  // The user declined the authentication (confirmation-link.ts).
  if (data?.code === 'confirmation_needed') return { kind: 'cancelled' }
  if (data?.code) return { kind: 'answered', data }
  if (error.cause?.name === 'AbortError') return { kind: 'cancelled' }
  return { kind: 'no_response' }
}

/** The message in the user's language (R-I18-04). */
export function messageOf(error: unknown): string {
  const failure = failureOf(error)
  if (failure.kind === 'no_response') return i18next.t('errors:no_response')
  if (failure.kind === 'cancelled') return codeWords('confirmation_needed')
  if (failure.kind === 'outdated') return codeWords('conflict')
  if (failure.kind !== 'answered') return i18next.t('errors:general.unknown')
  const { code, params, provider } = failure.data
  return refusalWords(code, provider?.code) ?? unreadableWords(code, params) ?? codeWords(code, params)
}

/** The text for the provider's own code, if it is more specific. */
export function refusalWords(code: string, providerCode: string | null | undefined): string | null {
  const known = code === 'provider_rejected' && i18next.exists(`failures:refusals.${providerCode ?? ''}`)
  return known ? i18next.t(`failures:refusals.${providerCode as keyof Texts['failures']['refusals']}`) : null
}

/** Which secret must be entered again, and where. */
function unreadableWords(code: string, params: CallErrorData['params'] = {}): string | null {
  const key = `errors:unreadable.${String(params['secret'])}` as const
  return code === 'secret_unreadable' && i18next.exists(key)
    ? i18next.t(`errors:unreadable.${params['secret'] as keyof Texts['errors']['unreadable']}`, params)
    : null
}

/** The text of an error code. */
export const codeWords = (code: string, params: CallErrorData['params'] = {}): string =>
  i18next.exists(`errors:codes.${code}`)
    ? i18next.t(`errors:codes.${code as keyof Texts['errors']['codes']}`, params)
    : i18next.exists(`failures:codes.${code}`)
      ? i18next.t(`failures:codes.${code as keyof Texts['failures']['codes']}`, params)
      : i18next.t('errors:general.unknown')

/** The prefix of our code names the vendor. */
export const theirWords = (ours: string | null, code: string, message: string): string =>
  ours?.startsWith('tracker_') === true
    ? i18next.t('failures:tracker_code', { code, message })
    : i18next.t(ours?.startsWith('registrar_') === true ? 'errors:registrar_code' : 'errors:provider_code', { code, message })

/** The provider's message with its code, e.g. `Cloudflare 9109: Invalid access token` (R-ERR-03). */
export function providerWords(error: unknown): string | undefined {
  const failure = failureOf(error)
  if (failure.kind !== 'answered' || !failure.data.provider) return undefined
  const { code, message } = failure.data.provider
  return code ? theirWords(failure.data.code, code, message) : message
}

/** The failed action, the reason, and the provider's message; null if the user cancelled. */
export const failureWords = (failed: string, error: unknown): string | null =>
  failureOf(error).kind === 'cancelled' ? null : sentences(failed, messageOf(error), providerWords(error))

const isValidationKey = (message: string): message is keyof Texts['validation'] => i18next.exists(`validation:${message}`)
const isFaultKey = (message: string): message is keyof Texts['faults'] => i18next.exists(`faults:${message}`)

/** The text of an issue; its message may also be a finished text that is not a key. */
export const issueText = ({ message, params }: Issue): string =>
  isValidationKey(message)
    ? i18next.t(`validation:${message}`, params ?? {})
    : isFaultKey(message)
      ? i18next.t(`faults:${message}`, params ?? {})
      : message

/** Field path → text, for a form. Empty for errors of another kind. */
export function fieldErrors(error: unknown): Record<string, string> {
  const failure = failureOf(error)
  if (failure.kind !== 'answered') return {}
  return Object.fromEntries((failure.data.issues ?? []).map((issue) => [issue.path, issueText(issue)]))
}
