import { useTranslation } from 'react-i18next'
import { languages, localeOf, type Language } from '#shared/i18n/languages.ts'
import { language, setLanguage } from '#client/lib/i18n.ts'
import classes from './language-switch.module.css'

/** Both languages side by side. `onChoose` is called to store the choice outside this browser. */
export function LanguageSwitch({ onChoose }: { onChoose?: (selected: Language) => void }) {
  const { t } = useTranslation()
  const current = language()
  return (
    <div className={`row ${classes['root']}`} role="group" aria-label={t('language')}>
      {languages.map((option) => (
        <button
          key={option}
          type="button"
          lang={option}
          className={`size-12 medium muted pointer radius no-border no-background hover hover-primary ${classes['option']}`}
          aria-pressed={option === current}
          // The accessible name contains the visible text, for voice control.
          aria-label={`${option} ${localeOf[option].name}`}
          onClick={() => {
            void setLanguage(option)
            onChoose?.(option)
          }}
        >
          {option}
        </button>
      ))}
    </div>
  )
}
