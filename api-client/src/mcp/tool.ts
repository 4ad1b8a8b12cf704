import type { ObjectSchema } from './check-input.ts'

export type Arguments = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }
  /** @param given valid by `inputSchema` */
  run(given: Arguments): Promise<unknown>
}

/** The scope of the token; `session` is a signed-in user, who may do everything. */
export type Scope = 'read' | 'write' | 'buy' | 'session'

/** Previews of this session that were not applied yet: by ID, the function that applies them. */
export type Shown = Map<string, () => Promise<unknown>>

/** Operations that cost money. */
const orders: ReadonlySet<string> = new Set(['buy', 'renew'])
export const isOrder = (kind: string | null): boolean => kind !== null && orders.has(kind)

/**
 * Why a token cannot apply a change, and who can; null if it can.
 * @param kind of the draft; null for a change that is not an operation
 */
export function refusalOf(scope: Scope, kind: string | null): string | null {
  if (scope === 'read') return 'This token is read-only: the user must make the change in the panel.'
  if (scope === 'write' && isOrder(kind))
    return 'This token cannot buy or renew: the user must start this order in the panel (Operations) or provide a token with the scope buy.'
  if (scope === 'buy' && !isOrder(kind))
    return 'This token can only buy and renew domains: the user must make this change in the panel or provide a token with the scope write.'
  return null
}

export const text = (description: string) => ({ type: 'string', minLength: 1, description }) as const
export const choice = (description: string, values: readonly string[]) => ({ type: 'string', enum: values, description }) as const
export const schema = (properties: ObjectSchema['properties'] = {}, required: readonly string[] = []): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
export const reads = { readOnlyHint: true, destructiveHint: false } as const
