import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { blockContentTypes, skippablePhases, skippableProducts } from '#shared/features/domains/rulesets/choices.ts'
import type { PlanTier } from '#shared/features/domains/rulesets/phases.ts'
import { sentences } from '#client/lib/text.ts'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import { numberOf, objectOf, textOf, textsOf, withField } from '../read-json.ts'
import { Labeled, type ParameterFieldsProps } from './labeled.tsx'
import classes from './parameters.module.css'
import forms from '#client/ui/form/form.module.css'

/** The response of a block, if it is not Cloudflare's own. */
export function BlockFields({ value, tier, errorOf, onChange }: ParameterFieldsProps & { tier: PlanTier | null }) {
  const { t } = useTranslation('rulesets')
  const given = value['response'] !== undefined
  const isFree = tier === 'free'
  const response = objectOf(value['response'])
  const set = (field: string, next: string | number): void => onChange(withField(value, 'response', withField(response, field, next)))
  const first = { status_code: 403, content_type: 'text/plain', content: '' }
  return (
    <>
      <NamedSwitch
        name={t('form.own_response')}
        help={sentences(t('form.own_response_help'), tier === null || isFree ? t('form.not_on_free') : null)}
        on={given}
        // A response from before a downgrade can still be removed.
        disabled={isFree && !given}
        onChange={(on) => onChange(withField(value, 'response', on ? first : undefined))}
      />
      {given ? (
        <>
          <div className={forms['pair']}>
            <TextInput
              label={t('form.status')}
              name="actionParameters.response.status_code"
              inputMode="numeric"
              value={numberOf(response['status_code']) ?? ''}
              error={errorOf('actionParameters.response.status_code')}
              onChange={(event) => set('status_code', Number(event.currentTarget.value.replaceAll(/\D/g, '')))}
            />
            <NativeSelect
              label={t('form.content_type')}
              value={textOf(response['content_type']) ?? 'text/plain'}
              data={[...blockContentTypes]}
              onChange={(event) => set('content_type', event.currentTarget.value)}
            />
          </div>
          <Textarea
            label={t('form.content')}
            name="actionParameters.response.content"
            classNames={{ input: 'mono' }}
            autosize
            minRows={2}
            maxRows={8}
            value={textOf(response['content']) ?? ''}
            error={errorOf('actionParameters.response.content')}
            onChange={(event) => set('content', event.currentTarget.value)}
          />
        </>
      ) : null}
    </>
  )
}

/** What a request that matches skips. */
export function SkipFields({ value, errorOf, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation('rulesets')
  const boxes = (field: 'phases' | 'products', all: readonly string[], label: (each: string) => string) => {
    const selected = textsOf(value[field])
    return all.map((each) => (
      <Checkbox
        key={each}
        size="sm"
        label={label(each)}
        checked={selected.includes(each)}
        onChange={(event) => {
          const next = event.currentTarget.checked ? [...selected, each] : selected.filter((other) => other !== each)
          onChange(withField(value, field, next.length === 0 ? undefined : next))
        }}
      />
    ))
  }
  return (
    <Labeled label={t('form.skip')} error={errorOf('actionParameters')}>
      <div className={`grid gap-8 ${classes['choices']}`}>
        <Checkbox
          size="sm"
          label={t('form.skip_rest')}
          checked={value['ruleset'] === 'current'}
          onChange={(event) => onChange(withField(value, 'ruleset', event.currentTarget.checked ? 'current' : undefined))}
        />
        {boxes('phases', skippablePhases, (each) => t(`form.phases.${each as (typeof skippablePhases)[number]}`))}
        {boxes('products', skippableProducts, (each) => t(`form.products.${each as (typeof skippableProducts)[number]}`))}
      </div>
    </Labeled>
  )
}
