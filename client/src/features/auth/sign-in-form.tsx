import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useForm } from '#client/lib/forms.ts'
import { type Outputs, trpc } from '#client/lib/trpc.ts'
import { Problem } from '#client/ui/problem.tsx'
import { problemOf } from './problem-of.ts'
import classes from './login-page.module.css'

export function SignInForm({
  problem: earlier,
  onDone,
}: {
  /** Why an earlier try begins anew. */
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
