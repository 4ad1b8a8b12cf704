import { Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DomainValue, parseDomainValues } from './parse-domain-values.ts'

/** The value of `{{value}}` for each domain; `needed` if the text uses it. `read` reports what is missing and returns null. */
export function useDomainValues(needed: boolean): { field: ReactNode; read: () => DomainValue[] | null } {
  const { t } = useTranslation(['operations', 'faults'])
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const read = (): DomainValue[] | null => {
    if (!needed) return []
    const { values, wrong } = parseDomainValues(text)
    if (wrong === null && values.length > 0) return values
    setError(wrong === null ? t('faults:values_missing') : t('dns.values_wrong', { line: wrong }))
    return null
  }
  const field = needed ? (
    <Textarea
      label={t('dns.values')}
      description={t('dns.values_help', { value: '{{value}}' })}
      placeholder={'example.com;token-1\nexample.net;token-2'}
      value={text}
      error={error}
      onChange={(event) => {
        setError(null)
        setText(event.currentTarget.value)
      }}
      autosize
      minRows={3}
      maxRows={10}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      classNames={{ input: 'mono' }}
    />
  ) : null
  return { field, read }
}
