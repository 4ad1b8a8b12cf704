import type { z } from 'zod'
import { appRouter } from '#server/transports/trpc/router.ts'
import type { ProcedureMeta } from '#server/transports/trpc/trpc.ts'

export interface ProcedureInfo {
  /** Dotted, as used by callers: `auth.login`. */
  readonly path: string
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly meta: ProcedureMeta | undefined
  readonly input: z.core.$ZodType | undefined
}

interface Definition {
  readonly type: ProcedureInfo['type']
  readonly meta?: ProcedureMeta
  readonly inputs: readonly z.core.$ZodType[]
}

/** Every procedure of the live router. tRPC keeps them in a flat record, though its types show a nested one. */
export const listProcedures = (): ProcedureInfo[] =>
  Object.entries(appRouter._def.procedures as unknown as Readonly<Record<string, { readonly _def: Definition }>>).map(
    ([path, { _def }]) => ({ path, type: _def.type, meta: _def.meta, input: _def.inputs.at(-1) }),
  )
