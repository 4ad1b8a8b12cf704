/** The input does not match the schema of the tool. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

/** The part of JSON Schema that the input schemas of the tools use. */
export type Schema =
  | { readonly type: 'string'; readonly description?: string; readonly minLength?: number; readonly enum?: readonly string[] }
  | {
      readonly type: 'integer'
      readonly description?: string
      readonly minimum: number
      readonly maximum: number
      readonly default?: number
    }
  | { readonly type: 'array'; readonly description?: string; readonly items: Schema; readonly minItems: number; readonly maxItems: number }
  /** Validated by the panel. */
  | { readonly type: 'object'; readonly description?: string }

export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is wrong with a value; null if it is valid. */
function faultOf(schema: Schema, value: unknown): string | null {
  switch (schema.type) {
    case 'string':
      if (schema.enum !== undefined) return schema.enum.some((each) => each === value) ? null : `must be one of ${schema.enum.join(', ')}`
      return typeof value === 'string' && value.length >= (schema.minLength ?? 0) ? null : 'must be a string'
    case 'integer': {
      const fits = Number.isInteger(value) && Number(value) >= schema.minimum && Number(value) <= schema.maximum
      return fits ? null : `must be an integer from ${schema.minimum} to ${schema.maximum}`
    }
    case 'array': {
      if (!Array.isArray(value) || value.length < schema.minItems || value.length > schema.maxItems)
        return `must be a list of ${schema.minItems} to ${schema.maxItems} items`
      const fault = value.map((item) => faultOf(schema.items, item)).find((each) => each !== null)
      return fault === undefined ? null : `must be a list in which each item ${fault}`
    }
    case 'object':
      return isObject(value) ? null : 'must be an object'
  }
}

/** @throws InputError that lists every mistake. Unknown fields are mistakes too: a misspelled filter must not select everything. */
export function checkInput({ properties, required }: ObjectSchema, given: Readonly<Record<string, unknown>>): void {
  const faults = [
    ...required.filter((name) => !Object.hasOwn(given, name)).map((name) => `${name} is missing`),
    ...Object.entries(given).flatMap(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (schema === undefined) return [`unknown field ${name}; the fields are ${Object.keys(properties).join(', ') || 'none'}`]
      const fault = faultOf(schema, value)
      return fault === null ? [] : [`${name} ${fault}`]
    }),
  ]
  if (faults.length > 0) throw new InputError(faults.join('\n'))
}
