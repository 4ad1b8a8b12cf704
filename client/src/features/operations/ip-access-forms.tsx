import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ipAccessModes, type IpAccessMode } from '#shared/features/domains/ip-access/values.ts'
import { emptyDraft, IpAccessFields, IpAccessValuesField, isComplete, readIpAccess, secondsOf } from '#client/features/domains/index.ts'
import type { BulkFormProps } from './bulk-form.ts'

function useValues() {
  const [text, setText] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const read = readIpAccess(text)
  const field = (
    <IpAccessValuesField
      text={text}
      read={read}
      isChecked={isChecked}
      onChange={(next) => {
        setIsChecked(false)
        setText(next)
      }}
    />
  )
  /** Null if they cannot be submitted; the field then says why. */
  const valuesOf = (): string[] | null => {
    setIsChecked(true)
    return isComplete(read) ? read.values.map(({ value }) => value) : null
  }
  return { field, valuesOf }
}

/** Adds rules of IP access to all domains. */
export function IpAccessAddForm({ onSubmit, frame }: BulkFormProps) {
  const { field, valuesOf } = useValues()
  const [draft, setDraft] = useState(emptyDraft)
  const submit = (): void => {
    const values = valuesOf()
    if (values === null) return
    const { mode, note, expiry } = draft
    onSubmit({ kind: 'ip_access_add', input: { values, mode, note, expiresInSeconds: secondsOf(expiry) } })
  }
  return frame(
    <>
      {field}
      <IpAccessFields draft={draft} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
    </>,
    submit,
  )
}

/** Deletes the rules with these values from all domains. */
export function IpAccessDeleteForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('ip-access')
  const { field, valuesOf } = useValues()
  const [mode, setMode] = useState<IpAccessMode | null>(null)
  const submit = (): void => {
    const values = valuesOf()
    if (values !== null) onSubmit({ kind: 'ip_access_delete', input: { values, mode } })
  }
  return frame(
    <>
      {field}
      <NativeSelect
        label={t('mode')}
        value={mode ?? ''}
        data={[{ value: '', label: t('any_mode') }, ...ipAccessModes.map((each) => ({ value: each, label: t(`modes.${each}`) }))]}
        onChange={(event) => setMode(ipAccessModes.find((each) => each === event.currentTarget.value) ?? null)}
      />
    </>,
    submit,
  )
}
