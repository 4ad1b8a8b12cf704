import { useTranslation } from 'react-i18next'
import { language } from '#client/lib/i18n.ts'

/** The full-screen loader; its styles are in `theme/loader.css`, shared with the HTML document. `late`: invisible for the first 200 ms. */
export function Loader({ late = false }: { late?: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="loader" role="status" data-late={late || undefined}>
      <svg className="loader-mark" viewBox="0 0 48 48" aria-hidden>
        <rect x="6" y="8" width="36" height="8" rx="2.5" />
        <rect x="6" y="20" width="36" height="8" rx="2.5" />
        <rect x="6" y="32" width="36" height="8" rx="2.5" />
      </svg>
      <div className="loader-words" lang={language()}>
        <p>{t('loader.message')}</p>
        <strong>{t('loader.loading')}</strong>
        <small>{t('loader.hint')}</small>
      </div>
    </div>
  )
}
