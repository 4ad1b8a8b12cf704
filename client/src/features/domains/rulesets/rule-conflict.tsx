import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import type { Rule } from './queries.ts'
import classes from './rules-tab.module.css'

const fields = [
  'description',
  'expression',
  'action',
  'enabled',
  'actionParameters',
  'ratelimit',
] as const satisfies (keyof RuleDefinition)[]

const shown = (value: RuleDefinition[(typeof fields)[number]]): string =>
  value === null || value === '' ? '—' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** A concurrent change of the edited rule: shows the differences and asks which version to keep. */
export function RuleConflict({
  before,
  now,
  saving,
  onTakeTheirs,
  onSaveMine,
}: {
  /** The rule when it was opened. */
  before: Rule | null
  /** Null: it was deleted. */
  now: Rule | null
  saving: boolean
  onTakeTheirs: () => void
  onSaveMine: () => void
}) {
  const { t } = useTranslation('rulesets')
  return (
    <div className="column gap-8 size-13 radius on-warn p-10-12" role="alert">
      <strong>{t(now === null ? 'conflict.gone' : 'conflict.title')}</strong>
      {now === null || before === null ? null : (
        <dl className={`grid gap-4 ${classes['differences']}`}>
          {fields
            .filter((field) => shown(before[field]) !== shown(now[field]))
            .map((field) => (
              <div key={field}>
                <dt className="secondary">{t(`conflict.fields.${field}`)}</dt>
                <dd className="anywhere code size-12">
                  <del className="muted">{shown(before[field])}</del> → <ins>{shown(now[field])}</ins>
                </dd>
              </div>
            ))}
        </dl>
      )}
      <div className="flex gap-8 end wrap">
        <Button variant="default" size="xs" onClick={onTakeTheirs}>
          {t(now === null ? 'conflict.leave' : 'conflict.theirs')}
        </Button>
        <Button size="xs" loading={saving} onClick={onSaveMine}>
          {t(now === null ? 'conflict.again' : 'conflict.mine')}
        </Button>
      </div>
    </div>
  )
}
