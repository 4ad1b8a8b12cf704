import { useTranslation } from 'react-i18next'
import type { ExpressionError, ExpressionWarning } from '#shared/features/domains/rulesets/expression/issues.ts'
import { typeWords } from '#shared/features/domains/rulesets/expression/types.ts'

/** The texts of errors and warnings about an expression. */
export function useIssueWords() {
  const { t } = useTranslation('rulesets')
  /** Types are named in the user's language, plans as Cloudflare writes them. */
  const worded = (params: ExpressionError['params']): Record<string, string | number> => {
    const type = typeWords.find((one) => one === params['type'])
    const plan = String(params['plan'] ?? '')
    return {
      ...params,
      ...(type !== undefined && { type: t(`expression.types.${type}`) }),
      plan: plan.charAt(0).toUpperCase() + plan.slice(1),
    }
  }
  return {
    errorWords: ({ code, params }: ExpressionError): string => t(`expression.errors.${code}`, worded(params)),
    warningWords: ({ code, params }: ExpressionWarning): string => t(`expression.warnings.${code}`, worded(params)),
  }
}
