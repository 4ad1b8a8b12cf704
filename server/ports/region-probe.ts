/** Looks at a domain as a visitor would, from where it runs. */

import type { CheckReason } from '#shared/features/monitoring/reasons.ts'
import type { CheckOptions, Timings } from '#shared/features/monitoring/schema.ts'

export interface Target {
  /** Punycode, lower case. */
  readonly name: string
  readonly options: CheckOptions
  /** What the mirror says; null: it is not known, and not compared. */
  readonly expected: {
    /** Lower case, sorted. */
    readonly nameServers: readonly string[] | null
    /** Of the name itself: where it leads. Proxied names lead to the provider's own addresses. */
    readonly addresses: { readonly proxied: boolean; readonly values: readonly string[] } | null
  }
}

export interface Finding {
  readonly code: CheckReason
  readonly params: Readonly<Record<string, string | number>>
}

export interface SeenCertificate {
  readonly issuer: string
  /** DNS names that it is for, at most 100. */
  readonly names: readonly string[]
  readonly notBefore: Date
  readonly notAfter: Date
  readonly trusted: boolean
  /** SHA-256, hexadecimal. */
  readonly fingerprint: string
}

export interface CheckResult {
  /** `inconclusive`: it says nothing of the domain (the probe's own connection, a refusal to measure, the process ends). */
  readonly outcome: 'good' | 'failed' | 'inconclusive'
  /** Why it failed, gravest first; then warnings. */
  readonly findings: readonly Finding[]
  /** Of the last answer; null: none came. */
  readonly status: number | null
  /** Over which IP the domain itself was reached; 6 beside an IPv4 address: that one took no connection. Null: over none. */
  readonly family: 4 | 6 | null
  readonly timings: Timings
  readonly certificate: SeenCertificate | null
}

export interface RegionProbe {
  /** Never throws; bounded in time (the options' time-out and a little) and memory. Breaks off with `signal`, inconclusive then. */
  check(target: Target, signal?: AbortSignal): Promise<CheckResult>
  /** Whether anything at all is reached from here: several well-known hosts are asked; one that answers is enough. */
  isOnline(signal?: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
