import { Button, Checkbox, PasswordInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { failureOf, fieldErrors, messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { UsdInput } from '#client/ui/form/usd-input.tsx'
import forms from '#client/ui/form/form.module.css'
import classes from './users.module.css'

/** The fields of a user, for adding and editing; when editing, an empty password is unchanged (R-USR-02). */
export function UserForm({
  user,
  own,
  onSaved,
  onCancel,
  onTakeTheirs,
}: {
  user?: ManagedUser
  own: boolean
  onSaved: (saved: ManagedUser) => void
  onCancel: () => void
  /** A concurrent change from which the user wants to start again. */
  onTakeTheirs: () => void
}) {
  const { t } = useTranslation(['users', 'common'])
  const { form, problem, revokeTokens, setRevokeTokens } = useUserForm(user, onSaved)
  return (
    <form className="column gap-16" onSubmit={form.submit} noValidate>
      <div className={forms['pair']}>
        <TextInput {...form.text('username')} label={t('form.username')} autoComplete="off" spellCheck={false} required data-autofocus />
        <TextInput {...form.text('name')} label={t('form.name')} autoComplete="off" />
      </div>
      <TextInput {...form.text('email')} label={t('form.email')} type="email" inputMode="email" autoComplete="off" required />
      {own ? null : (
        <PasswordInput
          {...form.text('password')}
          label={t('form.password')}
          description={t(user === undefined ? 'form.password_help' : 'form.password_changes')}
          placeholder={user === undefined ? '' : t('form.password_unchanged')}
          autoComplete="new-password"
          required={user === undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('common:show') }}
        />
      )}
      {user === undefined || form.values.password === '' ? null : (
        <Checkbox
          label={t('form.revoke_tokens')}
          checked={revokeTokens}
          onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
        />
      )}
      <Select
        name="role"
        label={t('form.role')}
        description={t(`role_help.${form.values.role}`)}
        value={form.values.role}
        error={form.errors['role']}
        onChange={(role) => form.set('role', role === 'admin' ? 'admin' : 'user')}
        data={(['user', 'admin'] as const).map((role) => ({ value: role, label: t(`role.${role}`) }))}
        allowDeselect={false}
        required
      />
      {user !== undefined && form.values.role !== user.role ? (
        <p className={`size-13 secondary pretty radius on-warn p-8-10 ${classes['note']}`} role="status">
          {t(own ? 'form.own_role_changes' : 'form.role_changes')}
        </p>
      ) : null}
      <UsdInput
        name="spendLimitUsd"
        label={t('form.spend_limit')}
        description={t('form.spend_limit_help')}
        value={form.values.spendLimitUsd}
        error={form.errors['spendLimitUsd']}
        onChange={(value) => form.set('spendLimitUsd', value)}
      />
      {problem === null || Object.keys(fieldErrors(problem)).length > 0 ? null : (
        <Problem problem={problem} adding={user === undefined} onTakeTheirs={onTakeTheirs} />
      )}
      <FormEnd action={t(user === undefined ? 'form.create' : 'form.save')} busy={form.submitting} stays onCancel={onCancel} />
    </form>
  )
}

function useUserForm(user: ManagedUser | undefined, onSaved: (saved: ManagedUser) => void) {
  const create = trpc.users.create.useMutation({ meta: { failure: false } })
  const update = trpc.users.update.useMutation({ meta: { failure: false } })
  const [problem, setProblem] = useState<unknown>(null)
  const [revokeTokens, setRevokeTokens] = useState(false)
  const form = useForm({
    initial: {
      username: user?.username ?? '',
      email: user?.email ?? '',
      name: user?.name ?? '',
      password: '',
      role: user?.role ?? 'user',
      spendLimitUsd: user?.spendLimitUsd ?? null,
    },
    schema: async () => {
      const schema = await import('#shared/features/users/schema.ts')
      return user === undefined ? schema.createUserInput : schema.updateUserInput.omit({ id: true, updatedAt: true })
    },
    onSubmit: async (_input, values) => {
      setProblem(null)
      const saved = await (user === undefined
        ? create.mutateAsync(values)
        : update.mutateAsync({ ...values, id: user.id, updatedAt: user.updatedAt, revokeTokens }))
      onSaved(saved.user)
    },
    onFailure: (error) => setProblem(failureOf(error).kind === 'no_response' ? null : error),
  })
  return { form, problem, revokeTokens, setRevokeTokens }
}

function Problem({ problem, adding, onTakeTheirs }: { problem: unknown; adding: boolean; onTakeTheirs: () => void }) {
  const { t } = useTranslation('users')
  const failure = failureOf(problem)
  const outdated = failure.kind === 'answered' && failure.data.code === 'conflict'
  return (
    <div className={forms['problem']} role="alert">
      <p>{outdated ? t('form.outdated') : `${t(adding ? 'failed.create' : 'failed.update')}. ${messageOf(problem)}`}</p>
      {outdated ? (
        <Button variant="default" size="xs" onClick={onTakeTheirs}>
          {t('form.take_theirs')}
        </Button>
      ) : null}
    </div>
  )
}
