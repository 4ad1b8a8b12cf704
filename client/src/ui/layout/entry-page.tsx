import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageSwitch } from './language-switch.tsx'
import { Mark } from '../display/mark.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import classes from './entry-page.module.css'

/** The frame of pages before the sign-in: one narrow column below the logo. */
export function EntryPage({ title, tagline, children }: { title: string; tagline: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={`grid relative ${classes['page']}`}>
      <header className="flex gap-4 end p-12-16">
        <LanguageSwitch />
        <ThemeToggle />
      </header>
      <main className={`flex top center ${classes['middle']}`}>
        <div className={`column full ${classes['column']}`}>
          <div className="column gap-14 top">
            <Mark className={classes['mark']} />
            <div>
              <h1 className={classes['title']}>{title}</h1>
              <p className="secondary pretty mt-4">{tagline}</p>
            </div>
          </div>
          {children}
        </div>
      </main>
      <footer className="size-12 muted text-center p-16">{t('copyright', { year: new Date().getFullYear() })}</footer>
    </div>
  )
}
