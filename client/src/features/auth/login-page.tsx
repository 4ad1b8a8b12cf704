import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconInfoCircle, IconFingerprint } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import type { SecondFactorAsked } from '#shared/features/two-factor/schema.ts'
import { passkeysPossible, SecondFactorForm, getPasskey, wasDeclined } from '#client/features/two-factor/index.ts'
import { setAuth } from '#client/lib/auth.ts'
import { messageOf } from '#client/lib/errors.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { EntryPage } from '#client/ui/layout/entry-page.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { useTitle } from '#client/ui/layout/use-title.ts'
import { useForm } from '#client/lib/forms.ts'
import { Problem } from '#client/ui/feedback/problem.tsx'
import links from '#client/ui/display/text-link.module.css'
import { problemOf } from './problem-of.ts'
import classes from './login-page.module.css'

/** Sign-in and registration (R-AUT-01…03). */
export function LoginPage() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const { redirect } = useSearch({ from: '/login' })
  const config = trpc.auth.config.useQuery()
  const secondFactor = trpc.auth.secondFactor.useMutation({ meta: { failure: false } })
  const [asked, setAsked] = useState<SecondFactorAsked | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [selected, setSelected] = useState<'sign_in' | 'register' | null>(null)

  const open = config.data?.registration === 'open'
  const firstUser = open && config.data?.firstUser === true
  const wanted = selected ?? (firstUser ? 'register' : 'sign_in')
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
            onClick={() => setSelected(mode === 'register' ? 'sign_in' : 'register')}
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

function SignInForm({
  problem: earlier,
  onDone,
}: {
  /** Why the sign-in has to start over. */
  problem: string | null
  onDone: (answer: Outputs['auth']['login']) => Promise<void>
}) {
  const { t } = useTranslation('auth')
  const login = trpc.auth.login.useMutation({ meta: { failure: false } })
  const [problem, setProblem] = useState(earlier)
  const form = useForm({
    initial: { email: '', password: '' },
    schema: async () => (await import('#shared/features/auth/schema.ts')).loginInput,
    onSubmit: async (input) => {
      setProblem(null)
      await onDone(await login.mutateAsync(input))
    },
    onFailure: (error) => setProblem(problemOf(error, t('sign_in.failed'))),
  })

  return (
    <form className={`column gap-16 ${classes['form']}`} onSubmit={form.submit} noValidate>
      <TextInput {...form.text('email')} label={t('email')} type="email" autoComplete="username" inputMode="email" autoFocus />
      <PasswordInput
        {...form.text('password')}
        label={t('password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
      />
      <Problem text={problem} />
      <Button type="submit" className={classes['submit'] ?? ''} loading={form.submitting} fullWidth>
        {t('sign_in.submit')}
      </Button>
    </form>
  )
}

/** A passkey signs in without a password: it is a possession factor and identifies the user. */
function PasskeySignIn({ onDone }: { onDone: (signedIn: Outputs['auth']['signInByPasskey']) => Promise<void> }) {
  const { t } = useTranslation('auth')
  const ask = trpc.auth.askForPasskey.useMutation({ meta: { failure: false } })
  const answer = trpc.auth.signInByPasskey.useMutation({ meta: { failure: false } })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const signIn = async (): Promise<void> => {
    setProblem(null)
    setBusy(true)
    try {
      const { ticket, passkey } = await ask.mutateAsync()
      await onDone(await answer.mutateAsync({ ticket, passkey: await getPasskey(passkey) }))
    } catch (error) {
      if (!wasDeclined(error)) setProblem(problemOf(error, t('sign_in.failed')))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Problem text={problem} />
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} stroke={1.7} />}
        loading={busy}
        onClick={() => void signIn()}
        fullWidth
      >
        {t('sign_in.passkey')}
      </Button>
    </>
  )
}

function RegisterForm({ onDone }: { onDone: (signedIn: Outputs['auth']['register']) => Promise<void> }) {
  const { t } = useTranslation('auth')
  const register = trpc.auth.register.useMutation({ meta: { failure: false } })
  const form = useForm({
    initial: { name: '', email: '', password: '', passwordConfirmation: '' },
    schema: async () => (await import('#shared/features/auth/schema.ts')).registerInput,
    onSubmit: async ({ name, ...input }) => {
      await onDone(await register.mutateAsync(name ? { ...input, name } : input))
    },
    refusalOf: (error) => problemOf(error, t('register.failed')),
  })
  const reveal = { visibilityToggleButtonProps: { 'aria-label': t('show_password') } }

  return (
    <form className={`column gap-16 ${classes['form']}`} onSubmit={form.submit} noValidate>
      <TextInput
        {...form.text('name')}
        label={
          <>
            {t('name')} <span className="regular muted">{t('optional')}</span>
          </>
        }
        autoComplete="name"
        autoFocus
      />
      <TextInput {...form.text('email')} label={t('email')} type="email" autoComplete="username" inputMode="email" />
      <PasswordInput
        {...form.text('password')}
        {...reveal}
        label={t('password')}
        description={t('password_help')}
        autoComplete="new-password"
      />
      <PasswordInput {...form.text('passwordConfirmation')} {...reveal} label={t('password_confirmation')} autoComplete="new-password" />
      <Problem text={form.refusal} />
      <Button type="submit" className={classes['submit'] ?? ''} loading={form.submitting} fullWidth>
        {t('register.submit')}
      </Button>
    </form>
  )
}
