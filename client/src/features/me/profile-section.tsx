import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Profile } from '#shared/features/me/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { failureOf, fieldErrors, messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormSection } from '#client/ui/form/form-section.tsx'
import forms from '#client/ui/form/form.module.css'

/** Name, username and email. */
export function ProfileSection({ profile }: { profile: Profile }) {
  const { t } = useTranslation('me')
  const utils = trpc.useUtils()
  const update = trpc.me.update.useMutation({ meta: { failure: false } })
  const [problem, setProblem] = useState<unknown>(null)
  const form = useForm({
    initial: { name: profile.name ?? '', username: profile.username, email: profile.email },
    schema: async () => {
      const { updateProfileInput } = await import('#shared/features/me/schema.ts')
      return updateProfileInput.pick({ name: true, username: true, email: true })
    },
    onSubmit: async (_input, values) => {
      setProblem(null)
      const { user } = await update.mutateAsync({ ...values, updatedAt: profile.updatedAt })
      const { id, username, name, email, role, createdAt } = user
      auth.set((before) => ({ ...before, user: { ...before.user, id, username, name, email, role, createdAt } }))
      utils.me.get.setData(undefined, { user })
      void utils.users.invalidate()
      toast.success(t('profile.saved'))
    },
    onFailure: (error) => setProblem(failureOf(error).kind === 'no_response' ? null : error),
  })
  const failure = failureOf(problem)
  const outdated = failure.kind === 'answered' && failure.data.code === 'conflict'
  const { name, username, email } = form.values
  const untouched = name === (profile.name ?? '') && username === profile.username && email === profile.email

  return (
    <FormSection title={t('profile.title')} text={t('profile.text')}>
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        <TextInput {...form.text('name')} label={t('profile.name')} description={t('profile.name_help')} autoComplete="name" />
        <div className={forms['pair']}>
          <TextInput {...form.text('username')} label={t('profile.username')} autoComplete="username" spellCheck={false} required />
          <TextInput {...form.text('email')} label={t('profile.email')} type="email" inputMode="email" autoComplete="email" required />
        </div>
        {problem === null || Object.keys(fieldErrors(problem)).length > 0 ? null : (
          <div className={forms['problem']} role="alert">
            <p>{outdated ? t('profile.outdated') : messageOf(problem)}</p>
            {outdated ? (
              <Button variant="default" size="xs" onClick={() => void utils.me.get.invalidate()}>
                {t('profile.take_theirs')}
              </Button>
            ) : null}
          </div>
        )}
        <div className={forms['actions']}>
          <Button type="submit" loading={form.submitting} disabled={untouched}>
            {t('profile.save')}
          </Button>
        </div>
      </form>
    </FormSection>
  )
}

/** A placeholder while the profile loads. */
export function ProfileWaiting() {
  const { t } = useTranslation('me')
  return (
    <FormSection title={t('profile.title')} text={t('profile.text')}>
      <div className="column gap-16" aria-busy inert>
        <TextInput label={t('profile.name')} description={t('profile.name_help')} disabled />
        <div className={forms['pair']}>
          <TextInput label={t('profile.username')} required disabled />
          <TextInput label={t('profile.email')} required disabled />
        </div>
        <div className={forms['actions']}>
          <Button disabled>{t('profile.save')}</Button>
        </div>
      </div>
    </FormSection>
  )
}
