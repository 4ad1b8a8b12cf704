import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { region } from '#shared/features/monitoring/schema.ts'
import type { Form } from '#client/lib/forms.ts'
import type { OptionTexts } from './option-texts.ts'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import forms from '#client/ui/form/form.module.css'
import classes from '../monitoring.module.css'

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** The fields of the check options. */
export function OptionInputs({ form }: { form: Form<OptionTexts> }) {
  const { t } = useTranslation('monitoring')
  return (
    <>
      <div className={`grid gap-16 start halves ${classes['pair']}`}>
        <TextInput
          {...form.text('path')}
          label={t('options.path')}
          description={t('options.path_help')}
          inputWrapperOrder={order}
          autoComplete="off"
        />
        <TextInput
          {...form.text('expectedStatus')}
          label={t('options.statuses')}
          description={t('options.statuses_help')}
          inputWrapperOrder={order}
          autoComplete="off"
        />
      </div>
      <TextInput
        {...form.text('keyword')}
        label={t('options.keyword')}
        description={t('options.keyword_help')}
        inputWrapperOrder={order}
        autoComplete="off"
      />
      <NamedSwitch
        name={t('options.redirects')}
        help={t('options.redirects_help')}
        on={form.values.followRedirects}
        onChange={(on) => form.set('followRedirects', on)}
      />
      <div className={`grid gap-16 start halves ${classes['triple']}`}>
        {(['timeoutSeconds', 'failuresToDown', 'successesToUp'] as const).map((field) => (
          <TextInput key={field} {...form.text(field)} label={t(`options.${field}`)} inputMode="numeric" autoComplete="off" />
        ))}
      </div>
      <p className={forms['name']}>{t('options.thresholds')}</p>
      <div className={`grid gap-16 start halves ${classes['pair']}`}>
        <NativeSelect
          name="downRegions"
          label={t('options.downRegions')}
          value={form.values.downRegions}
          error={form.errors['downRegions']}
          onChange={(event) => form.set('downRegions', event.currentTarget.value)}
          data={[
            { value: '', label: t('options.majority') },
            ...region.options.map((_each, index) => ({
              value: String(index + 1),
              label: index + 1 === region.options.length ? t('options.regions_all') : t('options.regions', { count: index + 1 }),
            })),
          ]}
        />
        <TextInput
          {...form.text('slowMs')}
          label={t('options.slowMs')}
          description={t('options.slow_help')}
          inputWrapperOrder={order}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <div className={`grid gap-16 start halves ${classes['triple']}`}>
        {(['certificateDays', 'expiryDays', 'expiryDaysAutoRenew'] as const).map((field) => (
          <TextInput
            key={field}
            {...form.text(field)}
            label={t(`options.${field}`)}
            description={field === 'certificateDays' ? t('options.certificate_help') : undefined}
            // Above the input, so that the inputs stay in one line.
            inputWrapperOrder={['label', 'description', 'input', 'error']}
            inputMode="numeric"
            autoComplete="off"
          />
        ))}
      </div>
    </>
  )
}
