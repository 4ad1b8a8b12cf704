import { errorCatalog } from '#shared/errors/codes.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

export interface ProviderWords {
  /** The provider's own code, verbatim; absent if it gave none. */
  readonly code?: string
  readonly message: string
  /** The part of the request that the error is about, as a JSON pointer, if the provider reports it. */
  readonly pointer?: string
}

export interface ErrorIssue {
  /** Dotted path of the input field, e.g. `lines.3.email`. */
  readonly path: string
  /** A key of the `validation` namespace. */
  readonly message: string
  readonly params?: Readonly<Record<string, string | number>>
}

interface AppErrorDetails {
  readonly params?: Readonly<Record<string, string | number>>
  readonly issues?: readonly ErrorIssue[]
  readonly provider?: ProviderWords
  readonly cause?: unknown
}

/** An error of the catalog. Any other thrown error reaches a client as `internal`, without its text. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly params: Readonly<Record<string, string | number>>
  readonly issues: readonly ErrorIssue[] | undefined
  readonly provider: ProviderWords | undefined

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    super(code, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.params = details.params ?? {}
    this.issues = details.issues
    this.provider = details.provider
  }

  /** The outcome is unknown: the caller has to check the state. */
  get isUnclear(): boolean {
    return errorCatalog[this.code].effect === 'unknown'
  }

  /** The same call may succeed later without any change. */
  get isRetryable(): boolean {
    return errorCatalog[this.code].retryable
  }
}
