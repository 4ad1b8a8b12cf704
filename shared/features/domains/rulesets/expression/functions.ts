import type { PlanTier } from '../phases.ts'
import { type ExpressionType, isArray, isMap } from './types.ts'

interface Parameter {
  /** `array` is an array or map of anything, `any` is anything. */
  readonly types: readonly (ExpressionType | 'array' | 'any')[]
  /** Whether its value must or must not be written in the expression; both are allowed by default. */
  readonly literal?: 'required' | 'refused'
}

export interface ExpressionFunction {
  readonly parameters: readonly Parameter[]
  /** How many of `parameters` are needed, all by default. */
  readonly required?: number
  /** The last parameter may be repeated. */
  readonly repeats?: true
  /** `same` is the type of the first argument. */
  readonly returns: ExpressionType | 'same'
  /** Documented for expressions that compute a value (redirect targets, rewrites), not for conditions. */
  readonly valuesOnly?: true
  readonly plan?: Exclude<PlanTier, 'free'>
  readonly usesRegex?: true
}

const text: Parameter = { types: ['String'] }
const source: Parameter = { types: ['String'], literal: 'refused' }
const number: Parameter = { types: ['Number'] }
const fixedNumber: Parameter = { types: ['Number'], literal: 'required' }
const fixedText: Parameter = { types: ['String'], literal: 'required' }
const address: Parameter = { types: ['IP'], literal: 'refused' }
const conditions: Parameter = { types: ['Array<Boolean>'] }
const jsonKey: Parameter = { types: ['String', 'Number'] }

/** Source: developers.cloudflare.com/ruleset-engine/rules-language/functions. What is missing here is accepted with a warning. */
export const expressionFunctions = {
  any: { parameters: [conditions], returns: 'Boolean' },
  all: { parameters: [conditions], returns: 'Boolean' },
  lower: { parameters: [text], returns: 'String' },
  upper: { parameters: [text], returns: 'String' },
  starts_with: { parameters: [source, text], returns: 'Boolean' },
  ends_with: { parameters: [source, text], returns: 'Boolean' },
  len: { parameters: [{ types: ['String', 'array'] }], returns: 'Number' },
  concat: { parameters: [{ types: ['any'] }], repeats: true, returns: 'same' },
  substring: { parameters: [text, number, number], required: 2, returns: 'String' },
  url_decode: { parameters: [text, fixedText], required: 1, returns: 'String' },
  decode_base64: { parameters: [source], returns: 'String' },
  join: { parameters: [{ types: ['Array<String>'] }, text], returns: 'String' },
  split: { parameters: [text, fixedText, fixedNumber], returns: 'Array<String>' },
  remove_bytes: { parameters: [text, text], returns: 'String' },
  lookup_json_string: { parameters: [text, jsonKey], repeats: true, returns: 'String' },
  lookup_json_integer: { parameters: [text, jsonKey], repeats: true, returns: 'Number' },
  cidr: { parameters: [address, fixedNumber, fixedNumber], returns: 'IP' },
  cidr6: { parameters: [address, fixedNumber], returns: 'IP' },
  is_timed_hmac_valid_v0: {
    parameters: [fixedText, text, fixedNumber, number, fixedNumber, fixedText],
    required: 4,
    returns: 'Boolean',
    plan: 'pro',
  },
  regex_replace: { parameters: [text, fixedText, fixedText], returns: 'String', valuesOnly: true, usesRegex: true },
  wildcard_replace: { parameters: [source, fixedText, fixedText, fixedText], required: 3, returns: 'String', valuesOnly: true },
  to_string: { parameters: [{ types: ['Number', 'Boolean', 'IP'] }], returns: 'String', valuesOnly: true },
  remove_query_args: { parameters: [source, text], repeats: true, returns: 'String', valuesOnly: true },
  uuidv4: { parameters: [source], returns: 'String', valuesOnly: true },
} as const satisfies Readonly<Record<string, ExpressionFunction>>

const functions: ReadonlyMap<string, ExpressionFunction> = new Map(Object.entries(expressionFunctions))

/** Null if the catalog does not have it. */
export const findFunction = (name: string): ExpressionFunction | null => functions.get(name) ?? null

export const acceptsType = ({ types }: Parameter, type: ExpressionType): boolean =>
  type === 'Unknown' || types.some((one) => one === 'any' || one === type || (one === 'array' && (isArray(type) || isMap(type))))
