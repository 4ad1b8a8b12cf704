import { Button, Checkbox, PasswordInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearAuth } from '#client/lib/auth.ts'
import { failureOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { EntryPage } from '#client/ui/layout/entry-page.tsx'
import { useTitle } from '#client/ui/layout/use-title.ts'

/** The target of a reset link: sets a new password, then shows the sign-in. */
export function ResetPage({ ticket }: { ticket: string }) {
  const { t } = useTranslation(['reset', 'common'])
  const navigate = useNavigate()
  const reset = trpc.users.resetByLink.useMutation({ meta: { failure: false } })
  const [dead, setDead] = useState(ticket === '')
  const [revokeTokens, setRevokeTokens] = useState(false)
  // Checked before the user enters a password. If there is no answer, submitting reports the error.
  useEffect(() => {
    if (ticket === '') return
    let here = true
    void api.users.checkResetLink.mutate({ ticket }).then(
      ({ works }) => (here && !works ? setDead(true) : undefined),
      () => undefined,
    )
    return () => {
      here = false
    }
  }, [ticket])
  const form = useForm({
    initial: { ticket, password: '', passwordConfirmation: '' },
    schema: async () => (await import('#shared/features/users/schema.ts')).resetByLinkInput,
    onSubmit: async (input) => {
      await reset.mutateAsync({ ...input, revokeTokens })
      // A signed-in user is signed out here.
      clearAuth()
      queryClient.clear()
      toast.success(t('done'))
      await navigate({ to: '/login', replace: true })
    },
    onFailure: (error) => {
      const failure = failureOf(error)
      if (failure.kind === 'answered' && failure.data.code === 'challenge_expired') setDead(true)
      else if (failure.kind !== 'no_response') toast.failure(error)
    },
  })
  useTitle(t('title'))
  const show = { 'aria-label': t('common:show') }
  return (
    <EntryPage title={t('title')} tagline={t(dead ? 'dead' : 'tagline')}>
      {dead ? (
        <Button component={Link} to="/login" variant="default" fullWidth>
          {t('to_login')}
        </Button>
      ) : (
        <form className="column gap-16" onSubmit={form.submit} noValidate>
          <PasswordInput
            {...form.text('password')}
            label={t('password')}
            autoComplete="new-password"
            visibilityToggleButtonProps={show}
            autoFocus
          />
          <PasswordInput
            {...form.text('passwordConfirmation')}
            label={t('password_again')}
            autoComplete="new-password"
            visibilityToggleButtonProps={show}
          />
          <Checkbox
            label={t('revoke_tokens')}
            description={t('revoke_tokens_help')}
            checked={revokeTokens}
            onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
          />
          <Button type="submit" loading={form.submitting} fullWidth>
            {t('submit')}
          </Button>
        </form>
      )}
    </EntryPage>
  )
}
