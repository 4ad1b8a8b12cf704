import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { filledRows, firstRow, inputOf, RecordFields, type RecordRow } from '#client/features/records/index.ts'
import { hasPriority } from '#shared/features/records/record-types.ts'
import { usesValue } from '#shared/features/records/template.ts'
import type { BulkFormProps } from './bulk-form.ts'
import { DomainValuesField } from './domain-values-field.tsx'
import { parseDomainValues } from './parse-domain-values.ts'
import forms from '#client/ui/form.module.css'
import classes from './operations.module.css'

const modes = ['add', 'replace'] as const

/** The same records for every domain. */
export function DnsAddForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'faults'])
  const [rows, setRows] = useState<readonly RecordRow[]>([firstRow])
  const [mode, setMode] = useState<(typeof modes)[number]>('add')
  const [values, setValues] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [valuesProblem, setValuesProblem] = useState<string | null>(null)
  const needsValues = rows.some(({ name, content }) => usesValue(name) || usesValue(content))

  const submit = (): void => {
    const records = filledRows(rows).map(inputOf)
    if (records.length === 0) return setProblem(t('bulk.select_record'))
    if (records.some(({ type, priority = -1 }) => hasPriority(type) && !(priority >= 0 && priority <= 65_535))) {
      return setProblem(t('dns.number'))
    }
    const parsed = needsValues ? parseDomainValues(values) : { values: [], wrong: null }
    if (parsed.wrong !== null) return setValuesProblem(t('dns.values_wrong', { line: parsed.wrong }))
    if (needsValues && parsed.values.length === 0) return setValuesProblem(t('faults:values_missing'))
    onSubmit({ kind: 'dns_add', input: { records, mode, values: parsed.values } })
  }

  return frame(
    <>
      <p className={classes['quiet']}>{t('dns.add_help')}</p>
      <div className={classes['records']}>
        <RecordFields
          rows={rows}
          onChange={(next) => {
            setProblem(null)
            setRows(next)
          }}
        />
      </div>
      <p className={classes['quiet']}>{t('dns.template_help', { domain: '{{domain}}', value: '{{value}}' })}</p>
      {needsValues ? (
        <DomainValuesField
          text={values}
          error={valuesProblem}
          onChange={(next) => {
            setValuesProblem(null)
            setValues(next)
          }}
        />
      ) : null}
      <div className={classes['field']}>
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={t('dns.mode')}
          value={mode}
          onChange={setMode}
          data={modes.map((value) => ({ value, label: t(`dns.modes.${value}`) }))}
        />
        <p className={classes['quiet']}>{t(`dns.modes.${mode}_help`)}</p>
      </div>
      {problem === null ? null : (
        <p role="alert" className={forms['refusal']}>
          {problem}
        </p>
      )}
    </>,
    submit,
  )
}
