import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Form } from '#client/lib/forms.ts'
import type { OptionTexts } from './option-texts.ts'
import { Named } from './named-switch.tsx'
import classes from '../monitoring.module.css'

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** The fields of how a domain is asked. */
export function OptionInputs({ form }: { form: Form<OptionTexts> }) {
  const { t } = useTranslation('monitoring')
  return (
    <>
      <div className={classes['pair']}>
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
      <Named
        name={t('options.redirects')}
        help={t('options.redirects_help')}
        on={form.values.followRedirects}
        onChange={(on) => form.set('followRedirects', on)}
      />
      <div className={classes['triple']}>
        {(['timeoutSeconds', 'failuresToDown', 'successesToUp'] as const).map((field) => (
          <TextInput key={field} {...form.text(field)} label={t(`options.${field}`)} inputMode="numeric" autoComplete="off" />
        ))}
      </div>
    </>
  )
}
