import { useState } from 'react'
import { FormError } from '#client/ui/form/form-error.tsx'
import { useTranslation } from 'react-i18next'
import type { BulkFormProps } from './bulk-form.ts'
import { emptyFilter, filterOf, RecordFilterFields } from './record-filter-fields.tsx'
import classes from './operations.module.css'

/** Deletes matching records; a filter is required. */
export function DnsDeleteForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'faults'])
  const [filter, setFilter] = useState(emptyFilter)
  const [missing, setMissing] = useState(false)

  const submit = (): void => {
    const input = filterOf(filter)
    if (input === null) return setMissing(true)
    onSubmit({ kind: 'dns_delete', input })
  }

  return frame(
    <>
      <p className={`size-12 muted ${classes['quiet']}`}>{t('dns.delete_help')}</p>
      {missing ? <FormError text={t('faults:select_filter')} /> : null}
      <RecordFilterFields
        value={filter}
        partHelp={t('dns.part_help')}
        onChange={(next) => {
          setMissing(false)
          setFilter(next)
        }}
      />
    </>,
    submit,
  )
}
