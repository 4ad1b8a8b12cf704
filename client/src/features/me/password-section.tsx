import { Button, PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { auth } from '#client/lib/auth.ts'
import { useForm } from '#client/lib/forms.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormSection } from '#client/ui/form-section.tsx'
import forms from '#client/ui/form.module.css'

const empty = { currentPassword: '', password: '', passwordConfirmation: '' }

/** Another password: every other device is signed out. */
export function PasswordSection() {
  const { t } = useTranslation(['me', 'common'])
  const utils = trpc.useUtils()
  const change = trpc.me.changePassword.useMutation({ meta: { failure: false } })
  const form = useForm({
    initial: empty,
    schema: async () => (await import('#shared/features/me/schema.ts')).changePasswordInput,
    onSubmit: async (input) => {
      // What asks with the token that is about to end would be told to sign in again.
      await queryClient.cancelQueries()
      const { token } = await change.mutateAsync(input)
      auth.set((before) => ({ ...before, token }))
      form.reset(empty)
      void utils.me.sessions.invalidate()
      toast.success(t('password.changed'), t('password.others_out'))
    },
  })
  const field = (name: keyof typeof empty, autoComplete: string) => (
    <PasswordInput
      {...form.text(name)}
      label={t(`password.${name}`)}
      autoComplete={autoComplete}
      visibilityToggleButtonProps={{ 'aria-label': t('common:show') }}
      required
    />
  )
  return (
    <FormSection title={t('password.title')} text={t('password.text')}>
      <form className={forms['form']} onSubmit={form.submit} noValidate>
        {field('currentPassword', 'current-password')}
        <div className={forms['pair']}>
          {field('password', 'new-password')}
          {field('passwordConfirmation', 'new-password')}
        </div>
        <div className={forms['actions']}>
          <Button type="submit" loading={form.submitting}>
            {t('password.submit')}
          </Button>
        </div>
      </form>
    </FormSection>
  )
}
