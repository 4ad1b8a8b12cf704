import type { ComparisonOperator, LogicalOperator } from './operators.ts'

/** A condition: what a rule matches. */
export type Condition =
  | { readonly kind: 'logical'; readonly operator: LogicalOperator; readonly items: readonly Condition[] }
  | { readonly kind: 'not'; readonly item: Condition }
  | { readonly kind: 'group'; readonly item: Condition }
  | { readonly kind: 'constant'; readonly value: boolean }
  /** Something Boolean without an operator. */
  | { readonly kind: 'operand'; readonly operand: Operand }
  | { readonly kind: 'comparison'; readonly left: Operand; readonly operator: ComparisonOperator; readonly right: Comparand }

/** A field or the result of a function, or a part of it. */
export interface Operand {
  readonly source:
    | { readonly kind: 'field'; readonly name: string }
    | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Argument[] }
  readonly indexes: readonly OperandIndex[]
}

/** `each` is `[*]`. */
export type OperandIndex =
  | { readonly kind: 'key'; readonly key: Literal & { readonly kind: 'string' } }
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'each' }

export type Argument = Literal | Condition

export type Literal =
  /** `hashes` is the number of `#` of a raw string, null if it is quoted. */
  | { readonly kind: 'string'; readonly value: string; readonly hashes: number | null }
  /** Numbers, addresses, and bytes in hexadecimal, as written. */
  | { readonly kind: 'number' | 'address' | 'bytes'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }

/** In a set, numbers and addresses may be ranges, and addresses networks. */
export type Comparand =
  | Literal
  | { readonly kind: 'set'; readonly items: readonly (Literal | { readonly kind: 'range'; readonly text: string })[] }
  | { readonly kind: 'list'; readonly name: string }
