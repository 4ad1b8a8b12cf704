import { isCountryCode, torCountry, unknownCountry } from '#shared/country-codes.ts'
import { checkNetwork, parseAddress } from '#shared/features/domains/rulesets/expression/addresses.ts'
import { tokenize } from '#shared/features/domains/rulesets/expression/tokenize.ts'

export const variableKinds = ['text', 'countries', 'addresses'] as const
export type VariableKind = (typeof variableKinds)[number]
/** Variables that every domain has. */
export const fixedVariables: readonly string[] = ['domain', 'tracker_host']

export const mostVariables = 20
/** The most values of one variable. */
export const mostValues = 200
/** The longest value, in characters. */
export const longestValue = 500

const isCountry = (code: string): boolean => isCountryCode(code) || code === torCountry || code === unknownCountry
const isAddress = (text: string): boolean => parseAddress(text) !== null || checkNetwork(text) === 'valid'
/** A quote or backslash could end the string of the expression that the value is part of. */
const isText = (text: string): boolean => text.length <= longestValue && /^[^"\\\p{Cc}]*$/u.test(text)

/** The code of the problem of a value; null if it is valid. */
export function valueProblem(kind: VariableKind, value: string): 'variable_country' | 'variable_address' | 'variable_text' | null {
  if (kind === 'countries') return isCountry(value) ? null : 'variable_country'
  if (kind === 'addresses') return isAddress(value) ? null : 'variable_address'
  return isText(value) ? null : 'variable_text'
}

/** A text has one value, lists have several; without one, each domain or its group needs a value of its own. */
export interface ProfileVariable {
  name: string
  kind: VariableKind
  /** The defaults; a group or a domain may have other values. */
  values: string[]
}

/** Values by the name of their variable. */
export type OwnValues = Readonly<Record<string, readonly string[]>>

export interface ValueIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly params?: Readonly<Record<string, string>>
}
function valueIssues({ kind }: Pick<ProfileVariable, 'kind'>, values: readonly string[]): ValueIssue[] {
  if (kind === 'text' && values.length > 1) return [{ path: [1], message: 'variable_one_value' }]
  return values.flatMap((each, index) => {
    const problem = valueProblem(kind, each)
    return problem === null ? [] : [{ path: [index], message: problem, params: { value: each } }]
  })
}

/** The problems of a profile's variables. */
export function variableIssues(variables: readonly ProfileVariable[]): ValueIssue[] {
  return variables.flatMap((variable, index): ValueIssue[] => {
    const isTaken = fixedVariables.includes(variable.name) || variables.findIndex(({ name }) => name === variable.name) < index
    return [
      ...(isTaken ? [{ path: [index, 'name'], message: 'variable_name_taken' }] : []),
      ...valueIssues(variable, variable.values).map((issue) => ({ ...issue, path: [index, 'values', ...issue.path] })),
    ]
  })
}

/** The problems of the values that a group or a domain has instead of those of the profile. */
export function ownValueIssues(variables: readonly ProfileVariable[], own: OwnValues): ValueIssue[] {
  return Object.entries(own).flatMap(([name, values]): ValueIssue[] => {
    const variable = variables.find((each) => each.name === name)
    if (variable === undefined)
      return [
        { path: [name], message: 'unknown_variable', params: { variable: name, known: variables.map((each) => each.name).join(', ') } },
      ]
    return valueIssues(variable, values).map((issue) => ({ ...issue, path: [name, ...issue.path] }))
  })
}

/** A variable with the values that a domain has. */
export interface GivenVariable {
  readonly kind: VariableKind
  readonly values: readonly string[]
  readonly from: 'domain' | 'group' | 'profile'
}

/**
 * The values of a domain: its own, otherwise those of its group, otherwise those of the profile. Values that do not suit the variable any more,
 * because its kind was changed since, count as none: they could change the expression that they are part of.
 */
export function valuesFor(
  variables: readonly ProfileVariable[],
  ofGroup: OwnValues = {},
  ofDomain: OwnValues = {},
): Record<string, GivenVariable> {
  return Object.fromEntries(
    variables.map(({ name, kind, values }): [string, GivenVariable] => {
      const [own, group] = [ofDomain[name] ?? [], ofGroup[name] ?? []]
      const suiting = (stored: readonly string[]) => (valueIssues({ kind }, stored).length === 0 ? stored : [])
      if (own.length > 0) return [name, { kind, values: suiting(own), from: 'domain' }]
      return [name, group.length > 0 ? { kind, values: suiting(group), from: 'group' } : { kind, values, from: 'profile' }]
    }),
  )
}

/** What the rules of a profile may say about the domain that they are applied to. */
export interface RuleVariables {
  readonly domain: string
  /** The host of the tracker that the domain is bound to; null without one. */
  readonly trackerHost: string | null
  /** Variables of the profile, by name. */
  readonly own?: Readonly<Record<string, Pick<GivenVariable, 'kind' | 'values'>>>
}

const placeholder = /\{\{\s{0,20}([a-z][a-z0-9_]{0,39})\s{0,20}\}\}/gi
const valueOf = ({ domain, trackerHost, own = {} }: RuleVariables, name: string): Pick<GivenVariable, 'kind' | 'values'> | null => {
  if (name === 'domain') return { kind: 'text', values: [domain] }
  if (name === 'tracker_host') return { kind: 'text', values: trackerHost === null ? [] : [trackerHost] }
  return Object.hasOwn(own, name) ? (own[name] ?? null) : null
}

/** The names of the placeholders in a text, in lower case. */
export const placeholdersOf = (text: string): string[] => [...text.matchAll(placeholder)].map(([, name = '']) => name.toLowerCase())

/** Whether a place of an expression is in a string: what stands there can only end it by a quote or a backslash, which no value has. */
function stringsOf(expression: string): (at: number) => boolean {
  const strings = tokenize(expression).filter(({ kind }) => kind === 'string' || kind === 'unclosed')
  return (at) => strings.some((token) => token.at < at && at < token.at + token.length)
}

/** The first list of values that stands in a string of the expression, where Cloudflare's sets cannot be. */
export function listInString(expression: string, variables: RuleVariables): string | null {
  const isInString = stringsOf(expression)
  for (const { 0: whole, 1: name = '', index } of expression.matchAll(placeholder)) {
    const kind = valueOf(variables, name.toLowerCase())?.kind
    if (kind !== undefined && kind !== 'text' && isInString(index)) return whole
  }
  return null
}

/** Replaces the variables in one pass; null if one of them has no value. Placeholders that are no variables stay. */
function replace(
  text: string,
  variables: RuleVariables,
  write: (given: Pick<GivenVariable, 'kind' | 'values'>, at: number, name: string) => string,
): string | null {
  let isComplete = true
  const filled = text.replaceAll(placeholder, (whole, name: string, at: number) => {
    const given = valueOf(variables, name.toLowerCase())
    if (given === null) return whole
    if (given.values.length === 0) isComplete = false
    return write(given, at, name.toLowerCase())
  })
  return isComplete ? filled : null
}

/** A text with its variables filled in: lists with commas. Null if one has no value. */
export const fillText = (text: string, variables: RuleVariables): string | null =>
  replace(text, variables, ({ values }) => values.join(', '))

/**
 * An expression with its variables filled in: a list becomes a set, a text in no string a string of its own. Null if one has no value.
 */
export function fillExpression(expression: string, variables: RuleVariables): string | null {
  let isInString: ReturnType<typeof stringsOf> | undefined
  return replace(expression, variables, ({ kind, values }, at, name) => {
    // One value, as it is wherever it stands: most rules have no others, and are filled in for thousands of domains.
    if (fixedVariables.includes(name)) return values.join('')
    isInString ??= stringsOf(expression)
    if (isInString(at)) return values.join(', ')
    if (kind === 'addresses') return `{${values.join(' ')}}`
    const quoted = values.map((each) => `"${each}"`).join(' ')
    if (kind === 'countries') return `{${quoted}}`
    return quoted
  })
}

const longestLine = 200
/** A variable as a form knows it. */
export type KnownVariable = Pick<ProfileVariable, 'name' | 'kind'>

const stands: Readonly<Record<VariableKind, readonly [start: string, end: string]>> = {
  text: ['"', '"'],
  countries: ['{"', '"}'],
  addresses: ['{::', '}'],
}
/** An expression with a value of the same length in place of each variable outside of strings, so that it can be checked as it is typed. */
export function maskVariables(expression: string, variables: readonly KnownVariable[]): string {
  if (variables.length === 0 || !expression.includes('{{')) return expression
  const isInString = stringsOf(expression)
  return expression.replaceAll(placeholder, (whole, name: string, at: number) => {
    const kind = variables.find((variable) => variable.name === name.toLowerCase())?.kind
    if (kind === undefined || isInString(at)) return whole
    const [start, end] = stands[kind]
    return start + ' '.repeat(Math.max(0, whole.length - start.length - end.length)) + end
  })
}

/** Variables as the activity log shows them. */
export const variableLines = (values: OwnValues): string[] =>
  Object.entries(values).map(([name, each]) => `${name}: ${each.join(', ')}`.slice(0, longestLine))
/** The default values of a profile's variables, by name. */
export const defaultsOf = (variables: readonly ProfileVariable[]): OwnValues =>
  Object.fromEntries(variables.map(({ name, values }) => [name, values]))
