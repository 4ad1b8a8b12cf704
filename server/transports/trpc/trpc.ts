import { getTRPCErrorFromUnknown, initTRPC, TRPCError } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { findTooMany } from '#server/transports/find-too-many.ts'
import { findUnstorableText } from '#server/transports/trpc/find-invalid-text.ts'
import { isTooDeep } from '#server/platform/json-shape.ts'
import { databaseFault, databaseRetrySeconds } from '#server/platform/database-away.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { kindOf } from '#shared/errors/codes.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { describeIssue } from '#shared/errors/describe-issues.ts'
import type { Ctx } from '#server/platform/context.ts'
import { auditRefusal, isRefusalByRights } from '#server/platform/refusals.ts'
import type { UserActor } from '#server/platform/actor.ts'
import { traced } from '#server/platform/tracing.ts'

export interface RequestCtx extends Ctx<UserActor | null> {
  /**
   * Authenticates again during long responses.
   * @throws AppError unauthorized if the session ended or the role changed, second_factor_required
   */
  readonly recheck: () => Promise<void>
  /** Body limits of the procedure; absent for internal calls. */
  readonly inputOf?: ((path: string) => z.core.$ZodType | undefined) | undefined
  /** Runs a call when it is the caller's turn; absent for internal calls. */
  readonly limitConcurrency?: (<T>(path: string, call: () => Promise<T>) => Promise<T>) | undefined
}

export interface ProcedureMeta extends OpenApiMeta {
  /** The status of a REST response if it is not 200; `file`: a separate route streams it. */
  readonly rest?: { readonly status?: 201 | 202 | 204; readonly file?: true }
  /**
   * A mutation that a read token may call, because it changes nothing: `always`, or if its input requests a `preview`. Unmarked mutations
   * are refused.
   */
  readonly forReaders?: 'always' | 'preview'
  /** A mutation that a token of scope `buy` may call. What else it could do for other tokens is refused in the use case. */
  readonly buys?: true
}

/** Error details for clients, in tRPC's `error.data` and (in part) as REST's body. */
export interface ErrorData {
  readonly code: ErrorCode
  readonly httpStatus: number
  readonly retryable: boolean
  readonly params: Readonly<Record<string, string | number>>
  readonly issues?: readonly {
    readonly path: string
    readonly message: string
    readonly params?: Readonly<Record<string, string | number>>
  }[]
  readonly provider?: { readonly code?: string; readonly message: string }
  readonly requestId: string | null
}

const codeOfTrpc = {
  PARSE_ERROR: 'malformed_request',
  BAD_REQUEST: 'malformed_request',
  UNAUTHORIZED: 'unauthorized',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'body_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
} as const satisfies Partial<Record<TRPCError['code'], ErrorCode>>

/** Maximum number of issues in a response. */
export const mostIssues = 100

const zodIssues = (error: z.core.$ZodError) =>
  error.issues
    .slice(0, mostIssues)
    .flatMap(describeIssue)
    .slice(0, mostIssues)
    .map(({ path, ...issue }) => ({ path: path.map(String).join('.'), ...issue }))

/** Converts schema issues to an error of the catalog. */
export const invalidInput = (error: z.core.$ZodError): AppError => new AppError('validation_failed', { issues: zodIssues(error) })

/** The only place that converts errors for clients. The text of unknown errors is not sent. */
export function describeError(error: unknown, requestId: string | null): ErrorData {
  const cause = error instanceof TRPCError && error.cause !== undefined ? error.cause : error
  const describe = (code: ErrorCode, rest: Partial<ErrorData> = {}): ErrorData => {
    const { status, retryable } = kindOf(code, rest.provider?.code)
    return { code, httpStatus: status, retryable, params: {}, ...rest, requestId }
  }
  if (cause instanceof AppError) {
    return describe(cause.code, {
      params: cause.params,
      ...(cause.issues === undefined ? {} : { issues: cause.issues }),
      ...(cause.provider === undefined ? {} : { provider: cause.provider }),
    })
  }
  if (cause instanceof z.core.$ZodError && error instanceof TRPCError && error.code === 'BAD_REQUEST') {
    return describe('validation_failed', { issues: zodIssues(cause) })
  }
  if (error instanceof TRPCError && error.code in codeOfTrpc) return describe(codeOfTrpc[error.code as keyof typeof codeOfTrpc])
  const fault = databaseFault(cause)
  if (fault !== null) return describe(fault, { params: { retryAfterSeconds: databaseRetrySeconds } })
  return describe('internal')
}

export const t = initTRPC
  .context<RequestCtx>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 40_000 } },
    errorFormatter: ({ shape, error, ctx }) => ({
      message: describeError(error, null).code,
      code: shape.code,
      data: describeError(error, ctx?.requestId ?? null),
    }),
  })

const translate = (error: AppError) =>
  new TRPCError({ code: kindOf(error.code, error.provider?.code).trpc, message: error.code, cause: error })

/** One check for every input, so that schemas need not repeat it. */
async function assertReadable({ inputOf }: RequestCtx, procedure: string, getRawInput: () => Promise<unknown>): Promise<void> {
  const input = await getRawInput()
  if (isTooDeep(input)) throw new AppError('validation_failed', { issues: [{ path: '', message: 'too_deep' }] })
  const tooMany = findTooMany(inputOf?.(procedure), input)
  if (tooMany !== null)
    throw new AppError('validation_failed', { issues: [{ path: tooMany.path, message: 'too_many', params: { max: tooMany.max } }] })
  const path = findUnstorableText(input)
  if (path !== null) throw new AppError('validation_failed', { issues: [{ path, message: 'invalid_characters' }] })
}

/**
 * Around every call: expensive calls of one caller are queued, inputs are checked, errors of the catalog are mapped to tRPC codes, so that
 * HTTP statuses and batch responses are correct, and authorization refusals are logged. One middleware, because the library copies the
 * call's options for each.
 */
const guarded = t.middleware(async ({ ctx, path, type, getRawInput, next }) => {
  const call = async () => {
    await assertReadable(ctx, path, getRawInput)
    return next()
  }
  const result = await traced(
    path,
    { attributes: { 'rpc.system.name': 'trpc', 'rpc.method': path, 'zonedeck.procedure.type': type } },
    async (span) => {
      const called = ctx.limitConcurrency === undefined ? call() : ctx.limitConcurrency(path, call)
      const ended = await called.catch((error: unknown) => ({ ok: false as const, error: getTRPCErrorFromUnknown(error) }))
      if (span !== null && !ended.ok) {
        const { code, httpStatus } = describeError(ended.error, null)
        if (httpStatus >= 500) span.fail(code)
        else span.note({ 'error.type': code })
      }
      return ended
    },
  )
  if (result.ok) return result
  const { cause } = result.error
  if (!(cause instanceof AppError)) throw result.error
  const { actor } = ctx
  if (actor !== null && isRefusalByRights(cause.code)) await auditRefusal({ ...ctx, actor }, path, cause.code, await getRawInput())
  throw translate(cause)
})

/** The same for errors during a subscription, which no middleware sees. */
export async function* translatedStream<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* stream
  } catch (error) {
    throw error instanceof AppError ? translate(error) : error
  }
}

/**
 * The output of one procedure, documented but not validated: its answer is built from typed rows, and checking hundreds of them would take
 * longer than reading them.
 */
export function unchecked<Schema extends z.ZodType>(schema: Schema): Schema {
  schema.parseAsync = (value) => Promise.resolve(value as z.output<Schema>)
  return schema
}

/** Accessible without authentication. */
export const publicProcedure = t.procedure.use(guarded)

interface SignedIn {
  readonly actor: UserActor
}

/** @throws AppError unauthorized */
function signedIn({ actor }: RequestCtx): UserActor {
  if (actor === null) throw new AppError('unauthorized')
  return actor
}

/** Any authenticated caller, also a token, also before a required second factor is set up: only to report their identity. */
export const signedInProcedure = publicProcedure.use(({ ctx, next }) => {
  signedIn(ctx)
  // The context stays the same object: the library would copy each of its members.
  return next<SignedIn>({})
})

/** A person in the browser who may still need to set up a second factor: for the set-up and sign-out. No tokens. */
export const enrolmentProcedure = signedInProcedure.use(({ ctx, next }) => {
  if (ctx.actor.via !== undefined) throw new AppError('session_only')
  return next()
})

const secondFactorGiven = ({ secondFactorDue }: UserActor) => {
  if (secondFactorDue === true) throw new AppError('second_factor_required')
}

/** A signed-in user in the browser. For actions that would let someone with a stolen token keep or hide their access. */
export const sessionProcedure = enrolmentProcedure.use(({ ctx, next }) => {
  secondFactorGiven(ctx.actor)
  return next()
})

/** Whether a call of a mutation is a preview. Any value other than true is not. */
async function onlyAsks({ forReaders }: ProcedureMeta, getRawInput: () => Promise<unknown>): Promise<boolean> {
  if (forReaders !== 'preview') return forReaders === 'always'
  const input = await getRawInput()
  return typeof input === 'object' && input !== null && 'preview' in input && (input.preview === true || input.preview === 'true')
}

/** A signed-in person, or their token within its scope. Ownership is checked in the use case. */
export const userProcedure = publicProcedure.use(async ({ ctx, type, meta = {}, getRawInput, next }) => {
  const actor = signedIn(ctx)
  const { via } = actor
  secondFactorGiven(actor)
  if (type === 'mutation' && via?.kind === 'token' && via.scope !== 'write' && !(via.scope === 'buy' && meta.buys === true)) {
    if (!(await onlyAsks(meta, getRawInput))) throw new AppError(via.scope === 'buy' ? 'buy_only_token' : 'read_only_token')
  }
  return next<SignedIn>({})
})

/** An administrator in the browser. Their tokens have no administrative rights, because a token may be stored in a script or on a server. */
export const adminProcedure = signedInProcedure.use(({ ctx, next }) => {
  secondFactorGiven(ctx.actor)
  if (ctx.actor.role !== 'admin') throw new AppError('forbidden')
  if (ctx.actor.via !== undefined) throw new AppError('session_only')
  return next()
})
