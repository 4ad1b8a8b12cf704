import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isLanguage, languages, localeOf } from '#shared/i18n/languages.ts'
import { language, setLanguage } from '#client/lib/i18n.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormSection } from '#client/ui/form-section.tsx'
import classes from './me.module.css'

/** The language, here and in what is written to the person, and the theme of this browser. */
export function AppearanceSection() {
  const { t } = useTranslation('me')
  const utils = trpc.useUtils()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const update = trpc.me.update.useMutation({
    meta: { failure: t('appearance.failed') },
    onSuccess: (answer) => utils.me.get.setData(undefined, answer),
  })
  const current = language()
  return (
    <FormSection title={t('appearance.title')} text={t('appearance.text')}>
      <div className={`flex wrap ${classes['choices']}`}>
        <div className="column gap-4 top size-13 medium">
          <span id="me-language">{t('appearance.language')}</span>
          <SegmentedControl
            aria-labelledby="me-language"
            value={current}
            onChange={(next) => {
              if (!isLanguage(next)) return
              void setLanguage(next)
              update.mutate({ language: next })
            }}
            data={languages.map((option) => ({ value: option, label: localeOf[option].name }))}
          />
        </div>
        <div className="column gap-4 top size-13 medium">
          <span id="me-theme">{t('appearance.theme')}</span>
          <SegmentedControl
            aria-labelledby="me-theme"
            value={colorScheme === 'light' ? 'light' : 'dark'}
            onChange={(next) => setColorScheme(next === 'light' ? 'light' : 'dark')}
            data={(['dark', 'light'] as const).map((option) => ({ value: option, label: t(`appearance.${option}`) }))}
          />
        </div>
      </div>
    </FormSection>
  )
}
