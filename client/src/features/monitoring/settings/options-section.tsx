import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MonitoringSettings } from '#shared/features/monitoring/settings.ts'
import { messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { FormSection } from '#client/ui/form-section.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { OptionInputs } from './option-inputs.tsx'
import { useOwner } from '../owner-choice.tsx'
import { optionTexts } from './option-texts.ts'
import { useSaveMonitoring } from './queries.ts'

/** How domains are asked, and how many failures make one. */
export function OptionsSection({ settings: { options } }: { settings: MonitoringSettings }) {
  const { t } = useTranslation('monitoring')
  const save = useSaveMonitoring()
  const owner = useOwner()
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm({
    initial: optionTexts(options),
    schema: async () => (await import('#shared/features/monitoring/settings.ts')).optionFields,
    onSubmit: async (changed) => {
      setProblem(null)
      await save.mutateAsync({ ...owner, options: changed })
    },
    onFailure: (error) => setProblem(messageOf(error)),
  })
  return (
    <FormSection title={t('options.title')} text={t('options.text')}>
      <form className="column gap-16" onSubmit={(event) => void form.submit(event)} noValidate>
        <OptionInputs form={form} />
        <Problem text={problem} />
        <div className="flex wrap gap-8">
          <Button type="submit" loading={form.submitting}>
            {t('save')}
          </Button>
        </div>
      </form>
    </FormSection>
  )
}
