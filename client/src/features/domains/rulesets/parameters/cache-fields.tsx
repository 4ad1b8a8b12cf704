import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { cacheTtlModes, type CacheTtl } from '#shared/features/domains/rulesets/choices.ts'
import forms from '#client/ui/form/form.module.css'
import { numberOf, objectOf, textOf, withField } from '../read-json.ts'
import { Labeled, type ParameterFieldsProps } from './labeled.tsx'

/** Whether responses are cached, and how long at Cloudflare and in browsers. */
export function CacheFields({ value, errorOf, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation('rulesets')
  const isCached = value['cache'] !== false
  return (
    <>
      <Labeled label={t('form.cache')}>
        <SegmentedControl
          fullWidth
          aria-label={t('form.cache')}
          value={isCached ? 'eligible' : 'bypass'}
          data={[
            { value: 'eligible', label: t('form.eligible') },
            { value: 'bypass', label: t('form.bypass') },
          ]}
          onChange={(next) => {
            const { edge_ttl: _edge, ...others } = value
            onChange(next === 'bypass' ? { ...others, cache: false } : { ...value, cache: true })
          }}
        />
      </Labeled>
      {isCached ? <TtlFields ttl="edge_ttl" value={value} errorOf={errorOf} onChange={onChange} /> : null}
      <TtlFields ttl="browser_ttl" value={value} errorOf={errorOf} onChange={onChange} />
    </>
  )
}

function TtlFields({ ttl, value, errorOf, onChange }: ParameterFieldsProps & { ttl: CacheTtl }) {
  const { t } = useTranslation('rulesets')
  const current = objectOf(value[ttl])
  const mode = textOf(current['mode']) ?? ''
  return (
    <div className={forms['pair']}>
      <NativeSelect
        label={t(`form.ttl.${ttl}`)}
        value={mode}
        data={[
          { value: '', label: t('form.as_domain') },
          ...cacheTtlModes[ttl].map((each) => ({ value: each, label: t(`form.ttl_modes.${each}`) })),
        ]}
        onChange={(event) => {
          const next = event.currentTarget.value
          const { default: lifetime, ...others } = current
          onChange(
            withField(
              value,
              ttl,
              next === '' ? undefined : { ...others, mode: next, ...(next === 'override_origin' && { default: lifetime ?? 7_200 }) },
            ),
          )
        }}
      />
      {mode === 'override_origin' ? (
        <TextInput
          label={t('form.seconds')}
          name={`actionParameters.${ttl}.default`}
          inputMode="numeric"
          value={numberOf(current['default']) ?? ''}
          error={errorOf(`actionParameters.${ttl}.default`)}
          onChange={(event) => {
            const digits = event.currentTarget.value.replaceAll(/\D/g, '')
            onChange(withField(value, ttl, withField(current, 'default', digits === '' ? undefined : Number(digits))))
          }}
        />
      ) : null}
    </div>
  )
}
