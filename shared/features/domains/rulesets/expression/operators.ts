export type ComparisonOperator =
  | 'eq'
  | 'ne'
  | 'lt'
  | 'le'
  | 'gt'
  | 'ge'
  | 'contains'
  | 'matches'
  | 'wildcard'
  | 'strict wildcard'
  | 'in'
  | 'bitwise_and'
export type LogicalOperator = 'or' | 'xor' | 'and'

/** Binding less tightly first. */
export const logicalOperators: readonly LogicalOperator[] = ['or', 'xor', 'and']

const comparisons: ReadonlyMap<string, ComparisonOperator> = new Map([
  ['eq', 'eq'],
  ['==', 'eq'],
  ['ne', 'ne'],
  ['!=', 'ne'],
  ['lt', 'lt'],
  ['<', 'lt'],
  ['le', 'le'],
  ['<=', 'le'],
  ['gt', 'gt'],
  ['>', 'gt'],
  ['ge', 'ge'],
  ['>=', 'ge'],
  ['contains', 'contains'],
  ['matches', 'matches'],
  ['~', 'matches'],
  ['wildcard', 'wildcard'],
  ['strict', 'strict wildcard'],
  ['in', 'in'],
  ['bitwise_and', 'bitwise_and'],
  ['&', 'bitwise_and'],
])

const connectives: ReadonlyMap<string, LogicalOperator> = new Map([
  ['or', 'or'],
  ['||', 'or'],
  ['xor', 'xor'],
  ['^^', 'xor'],
  ['and', 'and'],
  ['&&', 'and'],
])

/** What people write for an operator, in lower case. */
const misspelt: ReadonlyMap<string, string> = new Map([
  ['=', '=='],
  ['<>', '!='],
  ['|', '||'],
  ['&', '&&'],
  ['^', '^^'],
  ...[...comparisons.keys(), ...connectives.keys(), 'not'].map((word) => [word, word] as const),
])

export const findComparison = (word: string): ComparisonOperator | null => comparisons.get(word) ?? null
export const findConnective = (word: string): LogicalOperator | null => connectives.get(word) ?? null
export const isNegation = (word: string): boolean => word === 'not' || word === '!'
/** How the operator that is meant is written: they are in lower case. Null if no operator is meant. */
export const operatorMeant = (word: string): string | null => {
  const meant = misspelt.get(word.toLowerCase()) ?? null
  return meant === word ? null : meant
}

const equality = ['eq', 'ne', 'in'] as const
const order = ['lt', 'le', 'gt', 'ge'] as const

/** The operators for values of a type, in the order in which they are offered. Bare Boolean values are conditions already. */
export const operatorsOf: Readonly<Record<'String' | 'Number' | 'IP' | 'Boolean' | 'Unknown', readonly ComparisonOperator[]>> = {
  String: ['eq', 'ne', 'contains', 'in', 'wildcard', 'strict wildcard', 'matches', ...order],
  Number: [...equality, ...order, 'bitwise_and'],
  IP: equality,
  Boolean: [],
  Unknown: [...equality, 'contains', 'wildcard', 'strict wildcard', 'matches', ...order, 'bitwise_and'],
}
