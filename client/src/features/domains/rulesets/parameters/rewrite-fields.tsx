import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { objectOf, withField, type Parameters } from '../read-json.ts'
import { ComputedField } from './computed-field.tsx'
import { Labeled, type ParameterFieldsProps } from './labeled.tsx'

const parts = ['path', 'query'] as const
const placeholders = { path: '/new-path', query: 'source=cloudflare' }

export function RewriteFields({ value, errorOf, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation('rulesets')
  const uri = objectOf(value['uri'])
  const set = (part: string, next: Parameters | undefined): void => onChange(withField(value, 'uri', withField(uri, part, next)))
  return (
    <>
      {parts.map((part) => {
        const kept = uri[part] === undefined
        return (
          <Labeled
            key={part}
            label={t(`form.uri.${part}`)}
            error={part === 'path' ? errorOf('actionParameters.uri') : undefined}
            {...(part === 'query' && !kept && { help: t('form.query_help') })}
          >
            <div className="column gap-8">
              <NativeSelect
                aria-label={t(`form.uri.${part}`)}
                value={kept ? 'keep' : 'change'}
                data={[
                  { value: 'keep', label: t('form.keep') },
                  { value: 'change', label: t('form.rewrite_to') },
                ]}
                onChange={(event) => set(part, event.currentTarget.value === 'keep' ? undefined : { value: '' })}
              />
              {kept ? null : (
                <ComputedField
                  label={t(`form.uri.${part}`)}
                  placeholder={placeholders[part]}
                  name={`actionParameters.uri.${part}`}
                  value={objectOf(uri[part])}
                  errorOf={errorOf}
                  onChange={(next) => set(part, next)}
                />
              )}
            </div>
          </Labeled>
        )
      })}
    </>
  )
}
