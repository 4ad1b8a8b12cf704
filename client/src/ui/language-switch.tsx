import { useTranslation } from 'react-i18next'
import { languages, localeOf } from '#shared/i18n/languages.ts'
import { language, setLanguage } from '#client/lib/i18n.ts'
import classes from './language-switch.module.css'

/** Both languages side by side: one click, no menu. */
export function LanguageSwitch() {
  const { t } = useTranslation()
  const current = language()
  return (
    <div className={classes['root']} role="group" aria-label={t('language')}>
      {languages.map((option) => (
        <button
          key={option}
          type="button"
          lang={option}
          className={classes['option']}
          aria-pressed={option === current}
          aria-label={localeOf[option].name}
          onClick={() => void setLanguage(option)}
        >
          {option}
        </button>
      ))}
    </div>
  )
}
