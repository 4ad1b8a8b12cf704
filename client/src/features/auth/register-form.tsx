import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useForm } from '#client/lib/forms.ts'
import { type Outputs, trpc } from '#client/lib/trpc.ts'
import { Problem } from '#client/ui/problem.tsx'
import { problemOf } from './problem-of.ts'
import classes from './login-page.module.css'

export function RegisterForm({ onDone }: { onDone: (signedIn: Outputs['auth']['register']) => Promise<void> }) {
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
