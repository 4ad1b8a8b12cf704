import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageSwitch } from './language-switch.tsx'
import { Mark } from './mark.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import classes from './entry-page.module.css'

/** The frame of what stands before the panel: one narrow column under the mark. */
export function EntryPage({ title, tagline, children }: { title: string; tagline: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={classes['page']}>
      <header className={classes['corner']}>
        <LanguageSwitch />
        <ThemeToggle />
      </header>
      <main className={classes['middle']}>
        <div className={classes['column']}>
          <div className={classes['brand']}>
            <Mark className={classes['mark']} />
            <div>
              <h1 className={classes['title']}>{title}</h1>
              <p className={classes['tagline']}>{tagline}</p>
            </div>
          </div>
          {children}
        </div>
      </main>
      <footer className={classes['foot']}>{t('copyright', { year: new Date().getFullYear() })}</footer>
    </div>
  )
}
