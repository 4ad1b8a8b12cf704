import { Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import type { BulkFormProps } from './bulk-form.ts'
import classes from './operations.module.css'

const longest = 10

/** For how many years more. What it costs the preview shows. */
export function RenewForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const [years, setYears] = useState(1)
  return frame(
    <>
      <Select
        label={t('renew.years')}
        data={Array.from({ length: longest }, (_, index) => ({
          value: String(index + 1),
          label: t('receipt.years', { count: index + 1, formatted: formatNumber(index + 1) }),
        }))}
        value={String(years)}
        onChange={(next) => setYears(Number(next ?? 1))}
        allowDeselect={false}
        data-autofocus
      />
      <p className={`size-12 muted ${classes['quiet']}`}>{t('renew.help')}</p>
    </>,
    () => onSubmit({ kind: 'renew', input: { years } }),
  )
}
