import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The value of `{{value}}` for each domain. */
export function DomainValuesField({ text, error, onChange }: { text: string; error: string | null; onChange: (text: string) => void }) {
  const { t } = useTranslation('operations')
  return (
    <Textarea
      label={t('dns.values')}
      description={t('dns.values_help', { value: '{{value}}' })}
      placeholder={'example.com;token-1\nexample.net;token-2'}
      value={text}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={3}
      maxRows={10}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      classNames={{ input: 'mono' }}
    />
  )
}
