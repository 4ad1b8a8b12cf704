import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { filledRows, firstRow, inputOf, RecordFields, type RecordRow } from '#client/features/records/index.ts'
import { hasPriority } from '#shared/features/records/record-types.ts'
import type { BulkFormProps } from './bulk-dialog.tsx'
import forms from '#client/ui/form.module.css'
import classes from './operations.module.css'

/** The same records for every domain. */
export function DnsAddForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const [rows, setRows] = useState<readonly RecordRow[]>([firstRow])
  const [told, setTold] = useState<string | null>(null)

  const submit = (): void => {
    const records = filledRows(rows).map(inputOf)
    if (records.length === 0) return setTold(t('bulk.select_record'))
    if (records.some(({ type, priority = -1 }) => hasPriority(type) && !(priority >= 0 && priority <= 65_535))) {
      return setTold(t('dns.number'))
    }
    onSubmit({ kind: 'dns_add', input: { records } })
  }

  return frame(
    <>
      <p className={classes['quiet']}>{t('dns.add_help')}</p>
      <div className={classes['records']}>
        <RecordFields
          rows={rows}
          onChange={(next) => {
            setTold(null)
            setRows(next)
          }}
        />
      </div>
      {told === null ? null : (
        <p role="alert" className={forms['refusal']}>
          {told}
        </p>
      )}
    </>,
    submit,
  )
}
