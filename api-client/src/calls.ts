import type { Procedures } from './procedures.gen.ts'

export type Path = keyof Procedures
/** What a procedure takes: `Input<'domains.list'>`. */
export type Input<P extends Path> = Procedures[P]['input']
/** What it answers with. */
export type Output<P extends Path> = Procedures[P]['output']

export interface CallOptions {
  /** Gives up; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal
}

type Arguments<P extends Path> = Procedures[P]['optional'] extends true
  ? [input?: Input<P>, options?: CallOptions]
  : [input: Input<P>, options?: CallOptions]

/** Asks once. @throws ZonedeckError */
export type Call<P extends Path> = (...given: Arguments<P>) => Promise<Output<P>>

/** One of a page's items. */
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
  /** Every item, page by page as they are asked for. */
  readonly all: (...given: Arguments<P>) => AsyncGenerator<Item<P>, void, undefined>
}

/** What happens, for as long as it is listened to; a lost connection is taken up again. */
export type Subscription<P extends Path> = (...given: Arguments<P>) => AsyncGenerator<Output<P>, void, undefined>
