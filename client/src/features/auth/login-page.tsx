import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setAuth } from '#client/lib/auth.ts'
import type { Outputs } from '#client/lib/trpc.ts'
import { trpc } from '#client/lib/trpc.ts'
import { LanguageSwitch } from '#client/ui/language-switch.tsx'
import { Mark } from '#client/ui/mark.tsx'
import { ThemeToggle } from '#client/ui/theme-toggle.tsx'
import { useTitle } from '#client/ui/use-title.ts'
import { RegisterForm } from './register-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import classes from './login-page.module.css'

/** Signing in and registering (R-AUT-01…03). */
export function LoginPage() {
  const { t } = useTranslation(['auth', 'common'])
  const navigate = useNavigate()
  const { redirect } = useSearch({ from: '/login' })
  const config = trpc.auth.config.useQuery()
  const [chosen, setChosen] = useState<'sign_in' | 'register' | null>(null)

  const open = config.data?.registration === 'open'
  const firstUser = open && config.data?.firstUser === true
  const wanted = chosen ?? (firstUser ? 'register' : 'sign_in')
  const mode = wanted === 'register' && !open ? 'sign_in' : wanted

  const enter = async (signedIn: Outputs['auth']['login']): Promise<void> => {
    setAuth(signedIn)
    await navigate({ href: redirect ?? '/domains', replace: true })
  }

  useTitle(t(`${mode}.title`))

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
              <h1 className={classes['title']}>{t(`${mode}.title`)}</h1>
              <p className={classes['tagline']}>{t('tagline')}</p>
            </div>
          </div>
          {mode === 'register' && firstUser ? (
            <p className={classes['note']}>
              <IconInfoCircle size={16} />
              {t('register.first_user')}
            </p>
          ) : null}
          {mode === 'register' ? <RegisterForm onDone={enter} /> : <SignInForm onDone={enter} />}
          {open ? (
            <p className={classes['switch']}>
              {t(`${mode}.switch`)}
              <button type="button" className={classes['link']} onClick={() => setChosen(mode === 'register' ? 'sign_in' : 'register')}>
                {t(`${mode}.switch_action`)}
              </button>
            </p>
          ) : config.data ? (
            <p className={classes['switch']}>{t('register.closed')}</p>
          ) : null}
        </div>
      </main>
      <footer className={classes['foot']}>{t('common:copyright', { year: new Date().getFullYear() })}</footer>
    </div>
  )
}
