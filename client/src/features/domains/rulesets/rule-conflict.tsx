import { Button } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import type { Rule } from './queries.ts'
import { useActionName, useParameterWords } from './use-rule-words.ts'
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

/** The value of a field as the list of rules shows it; null if it has no words. */
function useFieldWords() {
  const { t } = useTranslation('rulesets')
  const nameOf = useActionName()
  const parametersOf = useParameterWords()
  return (field: (typeof fields)[number], rule: RuleDefinition): string | null => {
    switch (field) {
      case 'description':
        return shown(rule.description)
      case 'enabled':
        return t(rule.enabled ? 'on' : 'off')
      case 'action':
        return nameOf(rule.action)
      case 'actionParameters':
        return parametersOf({ ...rule, ratelimit: null }) || null
      case 'ratelimit':
        return parametersOf({ ...rule, actionParameters: null }) || null
      case 'expression':
        return null
    }
  }
}

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
  const wordsOf = useFieldWords()
  const box = useRef<HTMLDivElement>(null)
  // The form may be taller than the screen.
  useLayoutEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'center' })
  }, [now])
  return (
    <div ref={box} tabIndex={-1} className="column gap-8 size-13 radius on-warn p-10-12" role="alert">
      <strong>{t(now === null ? 'conflict.gone' : 'conflict.title')}</strong>
      {now === null || before === null ? null : (
        <dl className={`grid gap-4 ${classes['differences']}`}>
          {fields
            .filter((field) => shown(before[field]) !== shown(now[field]))
            .map((field) => {
              const [was, is] = [wordsOf(field, before), wordsOf(field, now)]
              const inWords = was !== null && is !== null && was !== is
              return (
                <div key={field}>
                  <dt className="secondary">{t(`conflict.fields.${field}`)}</dt>
                  <dd className={`anywhere size-12 ${inWords ? '' : 'code'}`}>
                    <del className="muted">{inWords ? was : shown(before[field])}</del> → <ins>{inWords ? is : shown(now[field])}</ins>
                  </dd>
                </div>
              )
            })}
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
