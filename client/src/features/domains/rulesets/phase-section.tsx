import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { planTier } from '#shared/features/domains/rulesets/phases.ts'
import { codeWords } from '#client/lib/errors.ts'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { dragListClass, useDragOrder } from '#client/ui/table/use-drag-order.ts'
import type { RuleChanges } from './mutations.ts'
import type { Rule, Ruleset } from './queries.ts'
import { RuleRow } from './rule-row.tsx'
import { planNames, usePhaseWords, useUsageWords } from './use-rule-words.ts'
import classes from './rules-tab.module.css'

/** The rules of one phase in their order; without rules it is one line. */
export function PhaseSection({
  ruleset: { phase, rules, limit, problem },
  plan,
  locked,
  changes,
  onAdd,
  onEdit,
  onCopy,
  onDelete,
}: {
  ruleset: Ruleset
  plan: string | null
  /** Why changes are disabled. */
  locked: string | null
  changes: RuleChanges
  onAdd: () => void
  onEdit: (rule: Rule) => void
  onCopy: (rule: Rule) => void
  onDelete: (rule: Rule) => void
}) {
  const { t } = useTranslation('rulesets')
  const id = useId()
  const words = usePhaseWords()(phase)
  const tier = planTier(plan)
  const usage = useUsageWords()(rules.length, limit, tier === null ? null : planNames[tier])
  const full = limit !== null && rules.length >= limit
  const { listRef, onHandleDown } = useDragOrder(rules.map((rule) => rule.id).join(' '), (from, to) => {
    const rule = rules[from]
    if (rule !== undefined) changes.move(phase, rule, to + 1)
  })
  const why = locked ?? (full ? t('full') : null)
  return (
    <section className="card" aria-labelledby={id}>
      <header className={`row ${classes['head']}`}>
        <div className={`shrink ${classes['names']}`}>
          <h2 id={id}>{words.name}</h2>
          <p className="size-12 muted pretty">{words.text}</p>
          {full ? <p className="size-12 warn pretty">{t('full')}</p> : null}
        </div>
        {usage === null ? null : <span className={`size-12 nowrap numeric push ${full ? 'warn' : 'muted'}`}>{usage}</span>}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} stroke={2} aria-hidden />}
          disabled={why !== null}
          title={why ?? undefined}
          aria-label={t('add_to', { phase: words.name })}
          className={classes['add'] ?? ''}
          onClick={onAdd}
        >
          <span className={classes['addWord']}>{t('add')}</span>
        </Button>
      </header>
      {problem === null ? null : (
        <p className={`flex gap-8 size-12 warn radius on-warn p-8-10 ${classes['problem']}`} role="status">
          <StatusDot tone="warn" />
          <span>
            {codeWords(problem.code)}
            {problem.message === null || problem.message === '' ? null : (
              <span className="block secondary anywhere">{problem.message}</span>
            )}
            {problem.code === 'provider_forbidden' ? (
              <span className="block secondary">{t('permission', { permission: words.permission })}</span>
            ) : null}
          </span>
        </p>
      )}
      {rules.length === 0 ? null : (
        <ol ref={listRef} className={`line-top ${dragListClass}`} aria-labelledby={id}>
          {rules.map((rule, index) => (
            <RuleRow
              key={rule.id}
              phase={phase}
              rule={rule}
              place={{ number: index + 1, of: rules.length }}
              locked={locked}
              full={full}
              changes={changes}
              onHandleDown={(event) => onHandleDown(event, index)}
              onEdit={onEdit}
              onCopy={onCopy}
              onDelete={onDelete}
            />
          ))}
        </ol>
      )}
    </section>
  )
}
