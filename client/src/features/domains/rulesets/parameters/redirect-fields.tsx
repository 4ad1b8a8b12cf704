import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { redirectStatuses } from '#shared/features/domains/rulesets/choices.ts'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import { numberOf, objectOf, withField } from '../read-json.ts'
import { ComputedField } from './computed-field.tsx'
import { Labeled, type ParameterFieldsProps } from './labeled.tsx'

export function RedirectFields({ value, errorOf, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation('rulesets')
  const from = objectOf(value['from_value'])
  const set = (field: string, next: unknown): void => onChange(withField(value, 'from_value', withField(from, field, next)))
  return (
    <>
      <Labeled label={t('form.target')} help={t('form.target_help')}>
        <ComputedField
          label={t('form.target')}
          placeholder="https://example.com/new"
          name="actionParameters.from_value.target_url"
          value={objectOf(from['target_url'])}
          errorOf={errorOf}
          onChange={(target) => set('target_url', target)}
        />
      </Labeled>
      <NativeSelect
        label={t('form.status')}
        value={String(numberOf(from['status_code']) ?? 301)}
        data={redirectStatuses.map((status) => ({ value: String(status), label: t(`form.statuses.${status}`) }))}
        onChange={(event) => set('status_code', Number(event.currentTarget.value))}
      />
      <NamedSwitch
        name={t('form.keep_query')}
        help={t('form.keep_query_help')}
        on={from['preserve_query_string'] === true}
        onChange={(on) => set('preserve_query_string', on)}
      />
    </>
  )
}
