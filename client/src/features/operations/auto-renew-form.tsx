import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BulkFormProps } from './bulk-form.ts'
import classes from './operations.module.css'

/** Whether registrars renew the names without being asked. */
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
