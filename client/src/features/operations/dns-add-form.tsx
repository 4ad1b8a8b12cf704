import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { filledRows, firstRow, inputOf, RecordFields, type RecordRow } from '#client/features/domains/index.ts'
import { hasPriority } from '#shared/features/domains/records/record-types.ts'
import { usesValue } from '#shared/features/domains/records/template.ts'
import type { BulkFormProps } from './bulk-form.ts'
import { useDomainValues } from './domain-values-field.tsx'
import classes from './operations.module.css'

const fields = ['name', 'content', 'priority'] as const
/** An empty row is omitted, unless it is the only one. */
const isEmpty = ({ name, content }: RecordRow): boolean => /^@?$/.test(name.trim()) && content.trim() === ''
const modes = ['add', 'replace'] as const

/** Adds the same records to every domain. */
export function DnsAddForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'validation'])
  const [rows, setRows] = useState<readonly RecordRow[]>([firstRow])
  const [mode, setMode] = useState<(typeof modes)[number]>('add')
  const [checked, setChecked] = useState(false)
  const values = useDomainValues(rows.some(({ name, content }) => usesValue(name) || usesValue(content)))

  const problemOf = (index: number, field: (typeof fields)[number]): string | undefined => {
    const row = rows[index]
    if (row === undefined || isEmpty(row))
      return index === 0 && rows.every(isEmpty) && field === 'content' ? t('validation:required') : undefined
    if (field === 'content') return row.content.trim() === '' ? t('validation:required') : undefined
    if (field === 'name' || !hasPriority(row.type)) return undefined
    const { priority = -1 } = inputOf(row)
    return priority >= 0 && priority <= 65_535 ? undefined : t('dns.number')
  }

  const submit = (): void => {
    setChecked(true)
    if (rows.some((_, index) => fields.some((field) => problemOf(index, field) !== undefined))) return
    const read = values.read()
    if (read !== null) onSubmit({ kind: 'dns_add', input: { records: filledRows(rows).map(inputOf), mode, values: read } })
  }

  return frame(
    <>
      <p className={`size-12 muted ${classes['quiet']}`}>{t('dns.add_help')}</p>
      <div className={`column gap-8 scroll-y ${classes['records']}`}>
        <RecordFields
          rows={rows}
          {...(checked && { problemOf })}
          onChange={(next) => {
            setChecked(false)
            setRows(next)
          }}
        />
      </div>
      <p className={`size-12 muted ${classes['quiet']}`}>{t('dns.template_help', { domain: '{{domain}}', value: '{{value}}' })}</p>
      {values.field}
      <div className="column gap-6">
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={t('dns.mode')}
          value={mode}
          onChange={setMode}
          data={modes.map((value) => ({ value, label: t(`dns.modes.${value}`) }))}
        />
        <p className={`size-12 muted ${classes['quiet']}`}>{t(`dns.modes.${mode}_help`)}</p>
      </div>
    </>,
    submit,
  )
}
