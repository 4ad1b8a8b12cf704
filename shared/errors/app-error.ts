import { errorCatalogue } from '#shared/errors/codes.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

export interface ProviderWords {
  /** The provider's own code, as it wrote it; absent where it gave none. */
  readonly code?: string
  readonly message: string
  /** The part of a request that it is about, as a JSON pointer, where the provider reports. */
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

/** An error of the catalogue. Everything else that is thrown reaches a client as `internal`, without its text. */
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

  /** Nobody knows whether what was asked for was done: anyone who asked looks. */
  get isUnclear(): boolean {
    return errorCatalogue[this.code].effect === 'unknown'
  }

  /** It may be taken later, without anybody changing anything. */
  get isRetryable(): boolean {
    return errorCatalogue[this.code].retryable
  }
}
