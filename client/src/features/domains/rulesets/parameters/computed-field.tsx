import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { textOf, type Parameters } from '../read-json.ts'
import classes from './parameters.module.css'

/** A fixed value, or an expression that Cloudflare computes for every request. */
export function ComputedField({
  label,
  value,
  placeholder,
  name,
  errorOf,
  onChange,
}: {
  label: string
  value: Parameters
  placeholder: string
  /** The path of the value in the form, for its errors. */
  name: string
  errorOf: (path: string) => string | undefined
  onChange: (value: Parameters) => void
}) {
  const { t } = useTranslation('rulesets')
  const expression = textOf(value['expression'])
  const kind = expression === null ? 'value' : 'expression'
  return (
    <div className={`grid gap-8 start ${classes['computed']}`}>
      <NativeSelect
        aria-label={t('form.kind_of', { field: label })}
        value={kind}
        data={[
          { value: 'value', label: t('form.static') },
          { value: 'expression', label: t('form.dynamic') },
        ]}
        onChange={(event) => onChange({ [event.currentTarget.value]: expression ?? textOf(value['value']) ?? '' })}
      />
      <TextInput
        aria-label={label}
        name={`${name}.${kind}`}
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autoComplete="off"
        placeholder={kind === 'value' ? placeholder : 'concat("https://", http.host)'}
        value={expression ?? textOf(value['value']) ?? ''}
        error={errorOf(`${name}.${kind}`)}
        onChange={(event) => onChange({ ...value, [kind]: event.currentTarget.value })}
      />
    </div>
  )
}
