import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { numberOf, objectOf, textOf, withField, type Parameters } from '../read-json.ts'
import type { ParameterFieldsProps } from './labeled.tsx'

const plain = { spellCheck: false, autoComplete: 'off', classNames: { input: 'mono' } } as const
const orNothing = (object: Parameters): Parameters | undefined => (Object.keys(object).length === 0 ? undefined : object)

export function OriginFields({ value, errorOf, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation('rulesets')
  const origin = objectOf(value['origin'])
  const filled = (text: string): string | undefined => (text === '' ? undefined : text)
  const setOrigin = (field: string, next: string | number | undefined): void =>
    onChange(withField(value, 'origin', orNothing(withField(origin, field, next))))
  return (
    <>
      <TextInput
        {...plain}
        label={t('form.host_header')}
        description={t('form.host_header_help')}
        name="actionParameters.host_header"
        placeholder="app.example.com"
        value={textOf(value['host_header']) ?? ''}
        error={errorOf('actionParameters') ?? errorOf('actionParameters.host_header')}
        onChange={(event) => onChange(withField(value, 'host_header', filled(event.currentTarget.value)))}
      />
      <TextInput
        {...plain}
        label={t('form.resolve')}
        description={t('form.resolve_help')}
        name="actionParameters.origin.host"
        placeholder="origin.example.com"
        value={textOf(origin['host']) ?? ''}
        error={errorOf('actionParameters.origin.host')}
        onChange={(event) => setOrigin('host', filled(event.currentTarget.value))}
      />
      <TextInput
        {...plain}
        label="SNI"
        description={t('form.sni_help')}
        name="actionParameters.sni.value"
        value={textOf(objectOf(value['sni'])['value']) ?? ''}
        error={errorOf('actionParameters.sni.value')}
        onChange={(event) => {
          const text = event.currentTarget.value
          onChange(withField(value, 'sni', text === '' ? undefined : { value: text }))
        }}
      />
      <TextInput
        {...plain}
        label={t('form.port')}
        name="actionParameters.origin.port"
        inputMode="numeric"
        placeholder="443"
        value={numberOf(origin['port']) ?? ''}
        error={errorOf('actionParameters.origin.port')}
        onChange={(event) => {
          const digits = event.currentTarget.value.replaceAll(/\D/g, '')
          setOrigin('port', digits === '' ? undefined : Number(digits))
        }}
      />
    </>
  )
}
