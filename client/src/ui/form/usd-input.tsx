import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

/** A limit in whole US dollars; empty means none. */
export function UsdInput({
  name,
  label,
  description,
  value,
  error,
  required = false,
  onChange,
}: {
  name: string
  label: string
  description?: string
  value: number | null
  error?: ReactNode
  required?: boolean
  onChange: (value: number | null) => void
}) {
  return (
    <TextInput
      name={name}
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      leftSection="$"
      inputMode="numeric"
      autoComplete="off"
      maxLength={7}
      value={value === null ? '' : String(value)}
      error={error}
      required={required}
      onChange={(event) => {
        const digits = event.currentTarget.value.replace(/\D/g, '')
        onChange(digits === '' ? null : Number(digits))
      }}
    />
  )
}
