import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { parameterLines } from '#client/features/domains/index.ts'
import { ruleActions } from '#shared/features/domains/rulesets/phases.ts'
import { formatNumber } from '#client/lib/format.ts'
import { joinFacts } from '#client/lib/text.ts'
import type { ItemChange, ShownRule } from './item-changes.ts'

const longest = 160
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/** The parameters that the other side does not have. */
function ownParameters({ actionParameters, ratelimit }: ShownRule, other: ShownRule): string[] {
  const linesOf = (rule: Pick<ShownRule, 'actionParameters' | 'ratelimit'>): string[] => [
    ...parameterLines(rule.actionParameters ?? {}),
    ...parameterLines(rule.ratelimit ?? {}),
  ]
  const others = new Set(linesOf(other))
  return linesOf({ actionParameters, ratelimit }).filter((line) => !others.has(line))
}

/** A rule that is added, removed, moved or changed: of a changed one, only what differs. */
export function useRuleChangeWords() {
  const { t } = useTranslation(['operations', 'rule-names'])
  return useCallback(
    ({ from, to }: Extract<ItemChange, { kind: 'rule' }>) => {
      const actionName = ({ action }: ShownRule): string => {
        const known = ruleActions.find((each) => each === action)
        return known === undefined ? action : t(`rule-names:actions.${known}`)
      }
      const place = ({ position }: ShownRule): string => t('change.position', { position: formatNumber(position) })
      const whole = (rule: ShownRule): string =>
        joinFacts(
          actionName(rule),
          rule.description === '' ? null : cut(rule.expression),
          rule.enabled ? null : t('change.off'),
          place(rule),
        )
      const different = (rule: ShownRule, other: ShownRule): string => {
        const part = (field: keyof ShownRule, words: string): string | null => (rule[field] === other[field] ? null : words)
        return (
          joinFacts(
            part('description', cut(rule.description)),
            part('action', actionName(rule)),
            part('expression', cut(rule.expression)),
            part('enabled', t(rule.enabled ? 'change.on' : 'change.off')),
            ...ownParameters(rule, other).map(cut),
            part('position', place(rule)),
          ) || '—'
        )
      }
      const rule = to ?? from
      const title = rule === null ? '' : cut(rule.description === '' ? rule.expression : rule.description)
      return {
        label: rule === null ? '' : `${t(`rule-names:phases.${rule.phase}`)}: ${title}`,
        from: from === null ? null : to === null ? actionName(from) : different(from, to),
        to: to === null ? null : from === null ? whole(to) : different(to, from),
        mono: false,
      }
    },
    [t],
  )
}
