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

/** Previews of this session that were not applied yet: by ID, the function that applies them. */
export type Shown = Map<string, () => Promise<unknown>>

export const text = (description: string) => ({ type: 'string', minLength: 1, description }) as const
export const choice = (description: string, values: readonly string[]) => ({ type: 'string', enum: values, description }) as const
export const schema = (properties: ObjectSchema['properties'] = {}, required: readonly string[] = []): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
export const reads = { readOnlyHint: true, destructiveHint: false } as const
