import type { Finding } from '#server/ports/region-probe.ts'
import type { CheckReason } from '#shared/features/monitoring/reasons.ts'

const longestText = 200

/** What strangers sent, short and on one line. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, longestText)

/** Ends a check: what is wrong, or (`ours`) that it could not be made from here. */
export class ProbeError extends Error {
  /** What happened; `finding` may say less of it. */
  readonly code: CheckReason
  readonly finding: Finding
  readonly ours: boolean

  constructor(code: CheckReason, params: Finding['params'], ours = false, finding: Finding = { code, params }) {
    // Made a thousand times a second when a network is away, and never printed: without a stack.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(code)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ProbeError'
    this.code = code
    this.finding = finding
    this.ours = ours
  }
}

/** Trouble with a host that the site leads to: nothing of its addresses, and of whether there is such a name, which may be of a network that the person does not know. */
export const ofOtherHost = ({ code, ours }: ProbeError, host: string): ProbeError =>
  new ProbeError(code, {}, ours, { code: 'redirect_unreached', params: { host: plain(host) } })

/** The name that the system gives an error, as `ECONNRESET`. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
