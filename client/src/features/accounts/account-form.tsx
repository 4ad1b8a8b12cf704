import { Button, PasswordInput, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLock } from '#client/features/sharing/index.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { failureOf, messageOf, providerWords } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import forms from '#client/ui/form/form.module.css'
import classes from './accounts.module.css'

type Saved = Outputs['accounts']['add']['account']

/** The provider rejects this email and key. */
function isRefusedKey(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'answered' && failure.data.code === 'provider_auth'
}

/** The fields of one account, for adding and editing; when editing, an empty secret is unchanged. */
export function AccountForm({ account, onSaved, onCancel }: { account?: Account; onSaved: (saved: Saved) => void; onCancel: () => void }) {
  const { t } = useTranslation(['accounts', 'common'])
  const { form, problem } = useAccountForm(account, onSaved)
  // A manager of another user's account may rename it.
  const fixed = useLock(account?.shared ?? null)('own')
  const credential = { disabled: fixed !== null, title: fixed ?? undefined }
  const token = form.values.kind === 'api_token'

  return (
    <form className="column gap-16" onSubmit={form.submit} noValidate>
      <fieldset className={classes['kind']}>
        <legend>{t('form.kind')}</legend>
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={t('form.kind')}
          {...credential}
          value={form.values.kind}
          onChange={(kind) => form.set('kind', kind)}
          data={[
            { value: 'global_key', label: t('kind.global_key') },
            { value: 'api_token', label: t('kind.api_token') },
          ]}
        />
      </fieldset>
      <TextInput
        {...form.text('email')}
        label={t('form.email')}
        description={t('form.email_help')}
        type="email"
        autoComplete="off"
        inputMode="email"
        required
        {...credential}
        data-autofocus={fixed === null || undefined}
      />
      <PasswordInput
        {...form.text('apiKey')}
        label={t(token ? 'form.token' : 'form.key')}
        description={t(token ? 'form.token_help' : 'form.key_help')}
        placeholder={account === undefined ? '' : t('form.key_unchanged')}
        autoComplete="off"
        required={account === undefined}
        {...credential}
        visibilityToggleButtonProps={{ 'aria-label': t('common:show') }}
      />
      <div className={forms['pair']}>
        <TextInput
          {...form.text('name')}
          label={t('form.name')}
          description={t('form.name_help')}
          autoComplete="off"
          data-autofocus={fixed !== null || undefined}
        />
        <PasswordInput
          {...form.text('password')}
          label={t('form.password')}
          description={t('form.password_help')}
          placeholder={account?.hasPassword === true ? t('form.password_unchanged') : ''}
          autoComplete="new-password"
          {...credential}
          visibilityToggleButtonProps={{ 'aria-label': t('common:show') }}
        />
      </div>
      {problem === null ? null : (
        <AccountProblem
          title={t(isRefusedKey(problem) ? 'failed.sign_in' : account === undefined ? 'failed.add' : 'failed.update')}
          error={problem}
        />
      )}
      <div className={`row wrap end gap-8-12 ${classes['submit']}`}>
        <span className={classes['muted']} role="status">
          {form.submitting ? t('form.checking') : fixed}
        </span>
        <Button variant="default" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t(account === undefined ? 'form.submit' : 'form.save')}
        </Button>
      </div>
    </form>
  )
}

function useAccountForm(account: Account | undefined, onSaved: (saved: Saved) => void) {
  const add = trpc.accounts.add.useMutation({ meta: { failure: false } })
  const update = trpc.accounts.update.useMutation({ meta: { failure: false } })
  const [problem, setProblem] = useState<unknown>(null)

  const form = useForm({
    initial: {
      email: account?.email ?? '',
      kind: account?.kind ?? 'global_key',
      apiKey: '',
      password: '',
      name: account?.name ?? '',
    },
    schema: async () => {
      const schema = await import('#shared/features/accounts/schema.ts')
      return account === undefined ? schema.addAccountInput : schema.updateAccountInput.omit({ id: true })
    },
    onSubmit: async (_input, values) => {
      setProblem(null)
      const fields = { ...values, ...(values.password === '' ? { password: undefined } : {}) }
      const saved = account === undefined ? await add.mutateAsync(fields) : await update.mutateAsync({ ...fields, id: account.id })
      onSaved(saved.account)
    },
    onFailure: (error) => setProblem(failureOf(error).kind === 'no_response' ? null : error),
  })
  return { form, problem }
}

/** Why the account was rejected: our text, then the provider's message. */
function AccountProblem({ title, error }: { title: string; error: unknown }) {
  return (
    <div className={`grid gap-2 size-13 bad radius on-bad ${classes['problem']}`} role="alert">
      <strong>{title}</strong>
      <p>{[messageOf(error), providerWords(error)].filter((words) => words !== undefined).join('\n')}</p>
    </div>
  )
}
