import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { countingPlace, mitigationTimeouts, ratelimitPeriods } from '#shared/features/domains/rulesets/choices.ts'
import type { PlanTier } from '#shared/features/domains/rulesets/phases.ts'
import { formatDuration } from '#client/lib/format.ts'
import forms from '#client/ui/form/form.module.css'
import { numberOf, textsOf, withField } from '../read-json.ts'
import type { ParameterFieldsProps } from './labeled.tsx'

/** The choices of this plan, including a current value that is not among them. */
const offered = (all: readonly number[], current: number, only: number | null): readonly number[] =>
  [...new Set([...(only === null ? all : [only]), current])].toSorted((a, b) => a - b)

/** How many requests are allowed, counted by what, and for how long the action applies after that. */
export function RatelimitFields({ value, tier, errorOf, onChange }: ParameterFieldsProps & { tier: PlanTier | null }) {
  const { t } = useTranslation('rulesets')
  const isFree = tier === 'free'
  const period = numberOf(value['period']) ?? 10
  const timeout = numberOf(value['mitigation_timeout']) ?? 10
  const by = textsOf(value['characteristics']).filter((each) => each !== countingPlace)
  const time = (seconds: number) => ({
    value: String(seconds),
    label: seconds === 0 ? t('form.no_timeout') : formatDuration(seconds, true),
  })
  return (
    <>
      {isFree ? <p className="size-12 secondary pretty">{t('form.free_limits')}</p> : null}
      <div className={forms['pair']}>
        <TextInput
          label={t('form.requests')}
          name="ratelimit.requests_per_period"
          inputMode="numeric"
          required
          withAsterisk={false}
          value={numberOf(value['requests_per_period']) ?? ''}
          error={errorOf('ratelimit.requests_per_period')}
          onChange={(event) => {
            const digits = event.currentTarget.value.replaceAll(/\D/g, '')
            onChange(withField(value, 'requests_per_period', digits === '' ? undefined : Number(digits)))
          }}
        />
        <NativeSelect
          label={t('form.period')}
          value={String(period)}
          error={errorOf('ratelimit.period')}
          data={offered(ratelimitPeriods, period, isFree ? 10 : null).map(time)}
          onChange={(event) => onChange(withField(value, 'period', Number(event.currentTarget.value)))}
        />
        <TextInput
          label={t('form.counted_by')}
          name="ratelimit.characteristics"
          classNames={{ input: 'mono' }}
          spellCheck={false}
          disabled={isFree && by.join() === 'ip.src'}
          description={t('form.counted_by_help')}
          value={by.join(', ')}
          error={errorOf('ratelimit.characteristics')}
          onChange={(event) => {
            const fields = event.currentTarget.value.split(',').map((each) => each.trim())
            onChange(withField(value, 'characteristics', [...fields, countingPlace]))
          }}
        />
        <NativeSelect
          label={t('form.timeout')}
          value={String(timeout)}
          error={errorOf('ratelimit.mitigation_timeout')}
          data={offered(mitigationTimeouts, timeout, isFree ? 10 : null).map(time)}
          onChange={(event) => onChange(withField(value, 'mitigation_timeout', Number(event.currentTarget.value)))}
        />
      </div>
    </>
  )
}
