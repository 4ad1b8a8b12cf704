import { Button, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { failureOf, messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { createPasskey, wasDeclined, type Added } from './passkeys.ts'
import forms from '#client/ui/form/form.module.css'

/** Adds a passkey with a name. */
export function PasskeyDialog({ onDone, onClose }: { onDone: (added: Added) => void; onClose: () => void }) {
  const { t } = useTranslation(['two-factor', 'common', 'errors'])
  const start = trpc.twoFactor.startPasskey.useMutation({ meta: { failure: false } })
  const add = trpc.twoFactor.addPasskey.useMutation({ meta: { failure: false } })
  const form = useForm({
    initial: { name: '' },
    schema: async () => (await import('#shared/features/two-factor/schema.ts')).addPasskeyInput.pick({ name: true }),
    onSubmit: async ({ name }) => {
      const { ticket, passkey } = await start.mutateAsync()
      onDone(await add.mutateAsync({ ticket, name, passkey: await createPasskey(passkey) }))
    },
    refusalOf: (error) => {
      if (wasDeclined(error)) return t('ask.passkey_declined')
      if (error instanceof Error && error.name === 'InvalidStateError') return t('passkey.known')
      return failureOf(error).kind === 'no_response' || failureOf(error).kind === 'cancelled' ? null : messageOf(error)
    },
  })
  return (
    <Dialog onClose={onClose} title={t('passkey.add')} size={440}>
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        <p className="size-13 secondary pretty">{t('passkey.about')}</p>
        <TextInput
          {...form.text('name')}
          label={t('passkey.name')}
          description={t('passkey.name_help')}
          autoComplete="off"
          maxLength={100}
          data-autofocus
        />
        <Problem text={form.refusal} />
        <div className={forms['actions']}>
          <Button variant="default" onClick={onClose} disabled={form.submitting}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={form.submitting} leftSection={<IconFingerprint size={18} stroke={1.7} />}>
            {t('passkey.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
