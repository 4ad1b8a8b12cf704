import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BulkFormProps } from './bulk-form.ts'
import classes from './operations.module.css'

/** Sets another IP address for all domains: replacing the current ones, or in addition (R-DOM-14). */
export function IpForm({ onSubmit, frame, about }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'validation'])
  const [address, setAddress] = useState(about?.ipAddress ?? '')
  const [mode, setMode] = useState<'replace' | 'add'>('replace')
  const [isChecked, setIsChecked] = useState(false)

  const submit = async (): Promise<void> => {
    const { ipRequest } = await import('#shared/features/operations/requests.ts')
    const input = ipRequest.safeParse({ ipAddress: address, mode }).data
    if (input === undefined) return setIsChecked(true)
    onSubmit({ kind: 'ip', input })
  }

  return frame(
    <>
      <TextInput
        label={t('ip.address')}
        description={t('ip.help')}
        placeholder="203.0.113.10"
        value={address}
        onChange={(event) => {
          setIsChecked(false)
          setAddress(event.currentTarget.value.trim())
        }}
        error={isChecked ? (address === '' ? t('validation:required') : t('ip.invalid')) : undefined}
        required
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <SegmentedControl
        fullWidth
        size="sm"
        aria-label={t('ip.mode')}
        value={mode}
        onChange={setMode}
        data={[
          { value: 'replace', label: t('ip.replace') },
          { value: 'add', label: t('ip.add') },
        ]}
      />
      {mode === 'add' ? <p className={`size-12 muted ${classes['quiet']}`}>{t('ip.add_help')}</p> : null}
    </>,
    () => void submit(),
  )
}
