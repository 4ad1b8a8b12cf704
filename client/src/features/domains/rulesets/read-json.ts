import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'

export type Parameters = NonNullable<RuleDefinition['actionParameters']>

/** Parameters of a rule may have any shape; these read the expected one, and nothing from another. */
export const objectOf = (value: unknown): Parameters =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parameters) : {}
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)
export const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [])

/** A copy with one field changed; `undefined` removes it. */
export function withField(object: Parameters, field: string, value: unknown): Parameters {
  const { [field]: _before, ...others } = object
  // The field keeps its place.
  return value === undefined ? others : { ...object, [field]: value }
}
