import { Select, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { counted } from '#client/lib/format.ts'
import type { BulkFormProps } from './bulk-form.ts'
import classes from './operations.module.css'

const longest = 10

/** The renewal term. The preview shows the price. */
export function RenewForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const [years, setYears] = useState(1)
  return frame(
    <>
      <Select
        label={t('renew.years')}
        data={Array.from({ length: longest }, (_, index) => ({
          value: String(index + 1),
          label: t('receipt.years', counted(index + 1)),
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

/** Switches automatic renewal at registrars. */
export function AutoRenewForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const [enabled, setEnabled] = useState(true)
  return frame(
    <>
      <SegmentedControl
        aria-label={t('change.auto_renew')}
        data={[
          { value: 'on', label: t('auto_renew.on') },
          { value: 'off', label: t('auto_renew.off') },
        ]}
        value={enabled ? 'on' : 'off'}
        onChange={(next) => setEnabled(next === 'on')}
        data-autofocus
      />
      <p className={`size-12 muted ${classes['quiet']}`}>{t(enabled ? 'auto_renew.on_help' : 'auto_renew.off_help')}</p>
    </>,
    () => onSubmit({ kind: 'auto_renew', input: { enabled } }),
  )
}
