import type { Procedures } from './procedures.gen.ts'

export type Path = keyof Procedures
/** The input of a procedure: `Input<'domains.list'>`. */
export type Input<P extends Path> = Procedures[P]['input']
/** The output of a procedure: `Output<'domains.list'>`. */
export type Output<P extends Path> = Procedures[P]['output']

export interface CallOptions {
  /** Cancels the call; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

type Arguments<P extends Path> = Procedures[P]['optional'] extends true
  ? [input?: Input<P>, options?: CallOptions]
  : [input: Input<P>, options?: CallOptions]

/** Makes one call. @throws ZonedeckError */
export type Call<P extends Path> = (...given: Arguments<P>) => Promise<Output<P>>

/** One item of a page. */
export type Item<P extends Path> =
  Output<P> extends infer Answer
    ? Procedures[P]['items'] extends keyof Answer
      ? Answer[Procedures[P]['items']] extends readonly (infer One)[]
        ? One
        : never
      : never
    : never

export interface PagedCall<P extends Path> {
  (...given: Arguments<P>): Promise<Output<P>>
  /** Iterates over all items and fetches pages as needed. */
  readonly all: (...given: Arguments<P>) => AsyncGenerator<Item<P>, void, undefined>
}

/** Iterates over events until the loop ends; reconnects after a lost connection. */
export type Subscription<P extends Path> = (...given: Arguments<P>) => AsyncGenerator<Output<P>, void, undefined>
