import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconInfoCircle } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactorAsked } from '#shared/features/two-factor/schema.ts'
import { passkeysPossible, SecondFactorForm } from '#client/features/two-factor/index.ts'
import { setAuth } from '#client/lib/auth.ts'
import { messageOf } from '#client/lib/errors.ts'
import type { Outputs } from '#client/lib/trpc.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EntryPage } from '#client/ui/entry-page.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { useTitle } from '#client/ui/use-title.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { RegisterForm } from './register-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import links from '#client/ui/text-link.module.css'
import classes from './login-page.module.css'

/** Signing in and registering (R-AUT-01…03). */
export function LoginPage() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const { redirect } = useSearch({ from: '/login' })
  const config = trpc.auth.config.useQuery()
  const secondFactor = trpc.auth.secondFactor.useMutation({ meta: { failure: false } })
  const [asked, setAsked] = useState<SecondFactorAsked | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<'sign_in' | 'register' | null>(null)

  const open = config.data?.registration === 'open'
  const firstUser = open && config.data?.firstUser === true
  const wanted = chosen ?? (firstUser ? 'register' : 'sign_in')
  const mode = wanted === 'register' && !open ? 'sign_in' : wanted

  const enter = async (signedIn: Outputs['auth']['register']): Promise<void> => {
    setAuth(signedIn)
    if (signedIn.secondFactorDue) await navigate({ to: '/second-factor', search: { redirect }, replace: true })
    else await navigate({ href: redirect ?? '/domains', replace: true })
  }
  const restart = (error?: unknown): void => {
    setAsked(null)
    setProblem(error === undefined ? null : messageOf(error))
  }

  const title = asked === null ? t(`${mode}.title`) : t('second_step.title')
  useTitle(title)

  if (asked !== null) {
    return (
      <EntryPage title={title} tagline={t('second_step.text')}>
        <Suspense fallback={<Skeleton height={38} />}>
          <SecondFactorForm
            asked={asked}
            action={t('sign_in.submit')}
            onAnswer={async (answer) => enter(await secondFactor.mutateAsync(answer))}
            onExpired={restart}
          />
        </Suspense>
        <p className="flex gap-6 size-13 secondary">
          <button type="button" className={`hover-underline ${links['way']}`} onClick={() => restart()}>
            {t('second_step.back')}
          </button>
        </p>
      </EntryPage>
    )
  }
  return (
    <EntryPage title={title} tagline={t('tagline')}>
      {mode === 'register' && firstUser ? (
        <p className={`flex gap-8 size-13 primary radius ${classes['note']}`}>
          <IconInfoCircle size={16} />
          {t('register.first_user')}
        </p>
      ) : null}
      {mode === 'register' ? (
        <RegisterForm onDone={enter} />
      ) : (
        <>
          <SignInForm
            problem={problem}
            onDone={async (answer) => {
              setProblem(null)
              if ('secondFactor' in answer) setAsked(answer.secondFactor)
              else await enter(answer)
            }}
          />
          {passkeysPossible() && !firstUser ? <PasskeySignIn onDone={enter} /> : null}
        </>
      )}
      {open ? (
        <p className="flex gap-6 size-13 secondary">
          {t(`${mode}.switch`)}
          <button
            type="button"
            className={`hover-underline ${links['way']}`}
            onClick={() => setChosen(mode === 'register' ? 'sign_in' : 'register')}
          >
            {t(`${mode}.switch_action`)}
          </button>
        </p>
      ) : config.data ? (
        <p className="flex gap-6 size-13 secondary">{t('register.closed')}</p>
      ) : null}
    </EntryPage>
  )
}
