import { useTranslation } from 'react-i18next'
import type { ExpressionError, ExpressionWarning } from '#shared/features/domains/rulesets/expression/issues.ts'
import { typeWords } from '#shared/features/domains/rulesets/expression/types.ts'
import { formatNumber } from '#client/lib/format.ts'

/** The texts of errors and warnings about an expression. */
export function useIssueWords() {
  const { t } = useTranslation('rulesets')
  /** Types are named in the user's language, plans as Cloudflare writes them. */
  const worded = (params: ExpressionError['params']): Record<string, string | number> => {
    const type = typeWords.find((one) => one === params['type'])
    const tier = String(params['plan'] ?? '')
    const plan = tier.charAt(0).toUpperCase() + tier.slice(1)
    return {
      ...Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? formatNumber(value) : value] as const),
      ),
      ...(type !== undefined && { type: t(`expression.types.${type}`) }),
      plan,
      since: t(tier === 'enterprise' ? 'expression.plan' : 'expression.plan_or_higher', { plan }),
    }
  }
  const warningWords = ({ code, params }: ExpressionWarning): string => t(`expression.warnings.${code}`, worded(params))
  return {
    errorWords: ({ code, params }: ExpressionError): string => t(`expression.errors.${code}`, worded(params)),
    /** Each text once; the plan's limits of a rate limit name all their fields together. */
    warningTexts: (warnings: readonly ExpressionWarning[]): string[] => {
      const limited = warnings.filter(({ code }) => code === 'free_rate_limit')
      const names = [...new Set(limited.map(({ params }) => String(params['name'])))].join(', ')
      return [
        ...new Set(
          warnings.map((warning) =>
            warningWords(warning.code === 'free_rate_limit' ? { ...warning, params: { ...warning.params, name: names } } : warning),
          ),
        ),
      ]
    },
  }
}
