import { Button, Checkbox, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auth } from '#client/lib/auth.ts'
import { counted } from '#client/lib/format.ts'
import { useForm } from '#client/lib/forms.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { useEndedAccess } from './sessions-section.tsx'
import forms from '#client/ui/form/form.module.css'

const empty = { currentPassword: '', password: '', passwordConfirmation: '' }

/** Changes the password: ends every other session and the calendar feed, and API tokens if selected. */
export function PasswordSection() {
  const { t } = useTranslation(['me', 'common'])
  const ended = useEndedAccess()
  const tokens = trpc.apiTokens.list.useQuery({}).data?.tokens.length ?? 0
  const [revokeTokens, setRevokeTokens] = useState(false)
  const change = trpc.me.changePassword.useMutation({ meta: { failure: false } })
  const form = useForm({
    initial: empty,
    schema: async () => (await import('#shared/features/me/schema.ts')).changePasswordInput,
    onSubmit: async (input) => {
      // Requests with the expiring token would be answered with a sign-in prompt.
      await queryClient.cancelQueries()
      const { token, ...rest } = await change.mutateAsync({ ...input, revokeTokens })
      auth.set((before) => ({ ...before, token }))
      form.reset(empty)
      setRevokeTokens(false)
      toast.success(t('password.changed'), `${t('password.others_out')} ${ended(rest)}`.trim())
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
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        {field('currentPassword', 'current-password')}
        <div className={forms['pair']}>
          {field('password', 'new-password')}
          {field('passwordConfirmation', 'new-password')}
        </div>
        {tokens === 0 || form.values.password === '' ? null : (
          <Checkbox
            label={t('revoke_tokens', counted(tokens))}
            description={t('revoke_tokens_help')}
            checked={revokeTokens}
            onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
          />
        )}
        <div className={forms['actions']}>
          <Button type="submit" loading={form.submitting}>
            {t('password.submit')}
          </Button>
        </div>
      </form>
    </FormSection>
  )
}
