/** Checks a domain like a visitor, from the location of the probe. */

import type { CheckReason } from '#shared/features/monitoring/reasons.ts'
import type { CheckOptions, Timings } from '#shared/features/monitoring/schema.ts'

export interface Target {
  /** Punycode, lower case. */
  readonly name: string
  readonly options: CheckOptions
  /** The values in the mirror; null: unknown, and not compared. */
  readonly expected: {
    /** Lower case, sorted. */
    readonly nameServers: readonly string[] | null
    /** Addresses of the name itself. Proxied names resolve to the provider's own addresses. */
    readonly addresses: { readonly proxied: boolean; readonly values: readonly string[] } | null
  }
}

export interface Finding {
  readonly code: CheckReason
  readonly params: Readonly<Record<string, string | number>>
}

export interface SeenCertificate {
  readonly issuer: string
  /** DNS names of the certificate, at most 100. */
  readonly names: readonly string[]
  readonly notBefore: Date
  readonly notAfter: Date
  readonly trusted: boolean
  /** SHA-256, hexadecimal. */
  readonly fingerprint: string
}

export interface CheckResult {
  /**
   * `inconclusive`: nothing can be concluded about the domain (the probe's own connection failed, a refused measurement, a stopping
   * process).
   */
  readonly outcome: 'good' | 'failed' | 'inconclusive'
  /** The reasons of the failure, most severe first; then warnings. */
  readonly findings: readonly Finding[]
  /** Of the final response; null: none arrived. */
  readonly status: number | null
  /** The IP version used for the domain; 6 if it also has an IPv4 address means that IPv4 failed. Null: no connection. */
  readonly family: 4 | 6 | null
  readonly timings: Timings
  readonly certificate: SeenCertificate | null
}

export interface RegionProbe {
  /** Never throws; bounded in time (the configured timeout plus a margin) and memory. Aborted by `signal`, with an inconclusive result. */
  check(target: Target, signal?: AbortSignal): Promise<CheckResult>
  /** Whether the probe has a network connection: one response from several well-known hosts is enough. */
  isOnline(signal?: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
