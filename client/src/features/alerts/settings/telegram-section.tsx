import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MonitoringSettings } from '#shared/features/monitoring/settings.ts'
import { messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { useOwner } from '#client/lib/owner-choice.tsx'
import { useTestChannel } from './mutations.ts'

interface Props {
  settings: MonitoringSettings
  onSave: (telegram: { chatId: string; botToken: string }) => Promise<unknown>
}

/** The bot and its main chat. The token is never shown again; emptying both fields deletes it (R-MON-02). */
export function TelegramSection({ settings: { telegram }, onSave }: Props) {
  const { t } = useTranslation(['monitoring', 'common'])
  const channels = trpc.alerts.listChannels.useQuery(useOwner())
  const { test, testing } = useTestChannel()
  const main = channels.data?.channels.find((each) => each.main)
  const form = useForm({
    initial: { 'telegram.chatId': telegram.chatId, 'telegram.botToken': '' },
    schema: async () => (await import('#shared/features/monitoring/settings.ts')).telegramFields,
    onSubmit: async (values) => {
      await onSave({ chatId: values['telegram.chatId'], botToken: values['telegram.botToken'] })
    },
    refusalOf: messageOf,
  })
  const empty = form.values['telegram.chatId'].trim() === '' && form.values['telegram.botToken'].trim() === ''
  const deletes = telegram.configured && empty
  return (
    <FormSection title={t('telegram.title')} text={t('telegram.text')}>
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        <p className="row wrap gap-4-12">
          <StateBadge
            tone={telegram.configured ? 'good' : 'idle'}
            label={
              telegram.configured
                ? telegram.botName === null
                  ? t('telegram.configured')
                  : t('telegram.bot', { name: telegram.botName })
                : t('telegram.missing')
            }
          />
          {main?.failure == null ? null : <span className="size-12 bad">{t(`channel_failure.${main.failure.code}`)}</span>}
        </p>
        <PasswordInput
          {...form.text('telegram.botToken')}
          label={t('telegram.token')}
          description={t('telegram.token_help')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={telegram.configured ? t('telegram.unchanged') : '123456789:AA…'}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('common:show') }}
        />
        <TextInput
          {...form.text('telegram.chatId')}
          label={t('telegram.chat')}
          description={t('telegram.chat_help')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="-1001234567890"
          autoComplete="off"
        />
        <Problem text={form.refusal} />
        <div className="flex wrap gap-8">
          <Button type="submit" loading={form.submitting} {...(deletes && { color: 'red' })}>
            {t(deletes ? 'telegram.delete' : 'save')}
          </Button>
          <Button
            variant="default"
            loading={testing}
            disabled={main === undefined || !telegram.configured}
            onClick={() => main && test(main)}
          >
            {t('telegram.test')}
          </Button>
        </div>
      </form>
    </FormSection>
  )
}
