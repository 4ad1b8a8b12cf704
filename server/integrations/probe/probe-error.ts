import type { Finding } from '#server/ports/region-probe.ts'
import type { CheckReason } from '#shared/features/monitoring/reasons.ts'

const longestText = 200

/** Text from a target, shortened to one line. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, longestText)

/** Ends a check with a finding, or (`ours`) because it was impossible from here. */
export class ProbeError extends Error {
  /** The actual error; `finding` may reveal less of it. */
  readonly code: CheckReason
  readonly finding: Finding
  readonly ours: boolean

  constructor(code: CheckReason, params: Finding['params'], ours = false, finding: Finding = { code, params }) {
    // Created a thousand times a second when a network is down, and never printed: without a stack.
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

/**
 * An error of a redirect target: without its addresses and without revealing whether the name exists, because it may belong to a network
 * unknown to the person.
 */
export const ofOtherHost = ({ code, ours }: ProbeError, host: string): ProbeError =>
  new ProbeError(code, {}, ours, { code: 'redirect_unreached', params: { host: plain(host) } })

/** The system's error code, as `ECONNRESET`. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
