import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { VariableKind } from '#shared/features/profiles/variables.ts'

/** The values in a text: a list by spaces, commas and lines, otherwise one value. */
function valuesIn(kind: VariableKind, text: string): string[] {
  if (kind === 'text') return text.trim() === '' ? [] : [text.trim()]
  const values = text.split(/[\s,;]+/).filter((value) => value !== '')
  return [...new Set(kind === 'countries' ? values.map((value) => value.toUpperCase()) : values)]
}
const separator: Readonly<Record<VariableKind, string>> = { text: '', countries: ', ', addresses: '\n' }
const examples: Readonly<Record<VariableKind, string>> = { text: '/admin', countries: 'DE, FR, US', addresses: '192.0.2.0/24' }
const mostRows = 8

/** A field for the values of a variable. */
export function ValuesField({
  kind,
  values,
  onChange,
  label,
  error,
  description,
  placeholder = examples[kind],
}: {
  kind: VariableKind
  /** The first ones; what is typed stays as it is. */
  values: readonly string[]
  onChange: (values: string[]) => void
  label: string
  error?: string | undefined
  description?: string
  placeholder?: string
}) {
  const [text, setText] = useState(values.join(separator[kind]))
  const type = (next: string): void => {
    setText(next)
    onChange(valuesIn(kind, next))
  }
  const field = {
    label,
    description,
    error,
    placeholder,
    value: text,
    autoComplete: 'off',
    spellCheck: false,
    classNames: { input: 'mono' },
    inputWrapperOrder: ['label' as const, 'input' as const, 'description' as const, 'error' as const],
  }
  return kind === 'addresses' ? (
    <Textarea
      {...field}
      rows={Math.min(mostRows, Math.max(2, text.split('\n').length))}
      onChange={(event) => type(event.currentTarget.value)}
    />
  ) : (
    <TextInput {...field} onChange={(event) => type(event.currentTarget.value)} />
  )
}
