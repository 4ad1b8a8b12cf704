import { ActionIcon, Button, Modal, TextInput } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { useForm } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { SecretField } from '#client/ui/secret-field.tsx'
import { useReturnFocus } from '#client/ui/use-return-focus.ts'
import { generatePassword } from './generate-password.ts'
import { readUsersAgain } from './read-users-again.ts'
import classes from './users.module.css'

/** Gives a user another password, which is shown once to be handed over. */
export function ResetPasswordDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation(['users', 'common'])
  useReturnFocus()
  const update = trpc.users.update.useMutation({ meta: { failure: t('failed.password') } })
  const [given, setGiven] = useState<string | null>(null)
  const form = useForm({
    initial: { password: generatePassword() },
    schema: async () => (await import('#shared/features/users/schema.ts')).createUserInput.pick({ password: true }),
    onSubmit: async ({ password }) => {
      await update.mutateAsync({ id: user.id, password })
      setGiven(password)
      void readUsersAgain()
      toast.success(t('done.password'), user.username)
    },
    // The toast has told of it.
    onFailure: () => undefined,
  })
  return (
    <Modal opened onClose={onClose} title={t('reset.title', { user: user.username })} size={440} closeOnClickOutside={false}>
      {given === null ? (
        <form className={classes['form']} onSubmit={form.submit} noValidate>
          <p className={classes['text']}>{t('reset.text')}</p>
          <TextInput
            {...form.text('password')}
            label={t('reset.password')}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: 'mono' }}
            required
            data-autofocus
            rightSection={
              <ActionIcon
                size={24}
                aria-label={t('reset.another')}
                title={t('reset.another')}
                onClick={() => form.set('password', generatePassword())}
              >
                <IconRefresh size={15} stroke={1.7} />
              </ActionIcon>
            }
          />
          <div className={classes['submit']}>
            <Button variant="default" onClick={onClose} disabled={form.submitting}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={form.submitting}>
              {t('reset.submit')}
            </Button>
          </div>
        </form>
      ) : (
        <div className={classes['form']}>
          <p className={classes['text']}>{t('reset.done')}</p>
          <SecretField label={t('reset.password')} value={given} />
          <div className={classes['submit']}>
            <Button onClick={onClose} data-autofocus>
              {t('common:close')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  )
}
