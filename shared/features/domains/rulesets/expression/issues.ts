/** What Cloudflare certainly refuses. Each has a text in the namespace `rulesets`, `expression.errors`. */
export type ExpressionErrorCode =
  | 'too_long'
  | 'too_deep'
  | 'unexpected_end'
  | 'unbalanced'
  | 'invalid_character'
  | 'expected_field'
  | 'expected_operator'
  | 'expected_connective'
  | 'expected_quotes'
  | 'expected_value'
  | 'expected_set'
  | 'expected_index'
  | 'expected_condition'
  | 'operator_spelling'
  | 'function_as_operator'
  | 'operator_type'
  | 'needs_any'
  | 'mixed_conditions'
  | 'each_not_first'
  | 'argument_count'
  | 'argument_type'
  | 'argument_literal'
  | 'argument_not_literal'
  | 'comma_in_set'
  | 'invalid_list'
  | 'invalid_number'
  | 'invalid_ip'
  | 'invalid_range'
  | 'network_needs_set'
  | 'invalid_escape'
  | 'double_wildcard'
  | 'unsupported_regex'
  | 'plan_lacks_field'
  | 'plan_lacks_function'
  | 'plan_lacks_regex'
  | 'not_in_phase'

/** What only Cloudflare can decide, or what is probably not meant. Texts as for errors, in `expression.warnings`. */
export type ExpressionWarningCode =
  | 'unknown_field'
  | 'unknown_function'
  | 'renamed_field'
  | 'always_zero'
  | 'needs_add_on'
  | 'free_rate_limit'
  | 'values_only'
  | 'boolean_comparison'
  | 'undocumented_operator'
  | 'undocumented_escape'
  | 'bytes'
  | 'empty_set'
  | 'backward_range'
  | 'host_bits'

export interface ExpressionIssue<Code> {
  readonly code: Code
  /** The place in the expression. */
  readonly at: number
  readonly length: number
  readonly params: Readonly<Record<string, string | number>>
}

export type ExpressionError = ExpressionIssue<ExpressionErrorCode>
export type ExpressionWarning = ExpressionIssue<ExpressionWarningCode>
