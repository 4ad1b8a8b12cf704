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

type SwitchTexts = Record<'label' | 'on' | 'off' | 'on_help' | 'off_help', string>

/** One choice, on or off, with what follows from it. */
function useSwitchForm(texts: SwitchTexts) {
  const [enabled, setEnabled] = useState(true)
  const fields = (
    <>
      <SegmentedControl
        aria-label={texts.label}
        data={[
          { value: 'on', label: texts.on },
          { value: 'off', label: texts.off },
        ]}
        value={enabled ? 'on' : 'off'}
        onChange={(next) => setEnabled(next === 'on')}
        data-autofocus
      />
      <p className={`size-12 muted ${classes['quiet']}`}>{enabled ? texts.on_help : texts.off_help}</p>
    </>
  )
  return { enabled, fields }
}

/** Switches automatic renewal at registrars. */
export function AutoRenewForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const { enabled, fields } = useSwitchForm({
    label: t('change.auto_renew'),
    on: t('auto_renew.on'),
    off: t('auto_renew.off'),
    on_help: t('auto_renew.on_help'),
    off_help: t('auto_renew.off_help'),
  })
  return frame(fields, () => onSubmit({ kind: 'auto_renew', input: { enabled } }))
}

/** Switches DNSSEC, with the DS record at registrars. */
export function DnssecForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const { enabled, fields } = useSwitchForm({
    label: 'DNSSEC',
    on: t('auto_renew.on'),
    off: t('auto_renew.off'),
    on_help: t('dnssec.on_help'),
    off_help: t('dnssec.off_help'),
  })
  return frame(fields, () => onSubmit({ kind: 'dnssec', input: { enabled } }))
}
