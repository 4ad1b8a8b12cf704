import { Button, MultiSelect, SegmentedControl, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AlertChannel } from '#shared/features/alerts/schema.ts'
import { messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import forms from '#client/ui/form/form.module.css'
import { useOwner } from '../owner-choice.tsx'
import { useOwnGroups } from './queries.ts'
import { Named } from './named-switch.tsx'
import classes from '../monitoring.module.css'

/** Adds or edits a chat or a webhook. The secret of a webhook is shown once, after its creation. */
export function ChannelDialog({ channel, onClose }: { channel?: AlertChannel; onClose: () => void }) {
  const { t } = useTranslation('monitoring')
  const groups = useOwnGroups()
  const { form, secret, renewSecret, renewing } = useChannelForm(channel, onClose)
  const { kind } = form.values
  return (
    <Dialog onClose={onClose} title={t(channel === undefined ? 'channels.new' : 'channels.change')} size={480}>
      {secret !== null ? (
        <WebhookSecret secret={secret} onClose={onClose} />
      ) : (
        <form className="column gap-16" onSubmit={(event) => void form.submit(event)} noValidate>
          {channel === undefined ? (
            <SegmentedControl
              fullWidth
              aria-label={t('channels.kind')}
              value={kind}
              onChange={(next) => form.set('kind', next === 'webhook' ? 'webhook' : 'telegram')}
              data={[
                { value: 'telegram', label: 'Telegram' },
                { value: 'webhook', label: t('channels.webhook') },
              ]}
            />
          ) : null}
          <TextInput {...form.text('name')} label={t('channels.name')} required autoComplete="off" data-autofocus />
          {kind === 'telegram' ? (
            <div className={forms['pair']}>
              <TextInput {...form.text('chatId')} label={t('telegram.chat')} required placeholder="-1001234567890" autoComplete="off" />
              <TextInput {...form.text('topic')} label={t('channels.topic')} inputMode="numeric" autoComplete="off" />
            </div>
          ) : (
            <TextInput
              {...form.text('url')}
              label={t('channels.url')}
              description={channel === undefined ? t('channels.url_help') : t('channels.url_kept', { host: channel.url })}
              required={channel === undefined}
              inputMode="url"
              placeholder="https://"
              autoComplete="off"
            />
          )}
          <MultiSelect
            label={t('channels.which')}
            placeholder={form.values.groupIds.length === 0 ? t('channels.all') : ''}
            data={groups.map(({ id, name }) => ({ value: id, label: name }))}
            value={form.values.groupIds}
            onChange={(ids) => form.set('groupIds', ids)}
            searchable
            clearable
            hidePickedOptions
          />
          <Named name={t('channels.critical_only')} on={form.values.criticalOnly} onChange={(on) => form.set('criticalOnly', on)} />
          <Named name={t('channels.enabled')} on={form.values.enabled} onChange={(on) => form.set('enabled', on)} />
          {channel?.kind === 'webhook' ? (
            <div>
              <Button variant="default" loading={renewing} onClick={() => renewSecret(channel)}>
                {t('channels.new_secret')}
              </Button>
              <p className="size-13 secondary pretty">{t('channels.new_secret_help')}</p>
            </div>
          ) : null}
          <FormEnd refusal={form.refusal} action={t('save')} busy={form.submitting} onCancel={onClose} />
        </form>
      )}
    </Dialog>
  )
}

function useChannelForm(channel: AlertChannel | undefined, onSaved: () => void) {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const owner = useOwner()
  const create = trpc.alerts.createChannel.useMutation({ meta: { failure: false } })
  const update = trpc.alerts.updateChannel.useMutation({ meta: { failure: false } })
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm({
    initial: {
      kind: channel?.kind ?? 'telegram',
      name: channel?.name ?? '',
      chatId: channel?.chatId ?? '',
      topic: channel?.topicId == null ? '' : String(channel.topicId),
      url: '',
      groupIds: channel?.groupIds ?? ([] as string[]),
      criticalOnly: channel?.criticalOnly ?? false,
      enabled: channel?.enabled ?? true,
    },
    schema: async () => {
      const { channelFields, changedChannelFields } = await import('#shared/features/monitoring/settings.ts')
      return channel === undefined ? channelFields : changedChannelFields
    },
    onSubmit: async ({ kind, name, chatId, topic, url, groupIds, criticalOnly, enabled }) => {
      const scope = { name, enabled, criticalOnly, groupIds: groupIds.length === 0 ? null : groupIds }
      const saved =
        channel === undefined
          ? await create.mutateAsync(
              kind === 'telegram' ? { ...owner, kind, chatId, topicId: topic, ...scope } : { ...owner, kind, url, ...scope },
            )
          : await update.mutateAsync({
              id: channel.id,
              ...scope,
              ...(kind === 'telegram' ? { chatId, topicId: topic } : url === '' ? {} : { url }),
            })
      await utils.alerts.invalidate()
      toast.success(t('saved'), name)
      if ('secret' in saved && saved.secret !== null) setSecret(saved.secret)
      else onSaved()
    },
    refusalOf: messageOf,
  })
  return {
    form,
    secret,
    renewing: update.isPending && !form.submitting,
    renewSecret: ({ id }: AlertChannel): void => {
      form.refuse(null)
      update.mutateAsync({ id, newSecret: true }).then(
        (saved) => setSecret(saved.secret),
        (error: unknown) => form.refuse(messageOf(error)),
      )
    },
  }
}

function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation(['monitoring', 'common'])
  const { copied, copy } = useCopy()
  return (
    <div className="column gap-16">
      <p className="size-13 secondary pretty">{t('channels.secret')}</p>
      <code className={`framed size-13 anywhere code on-sunken ${classes['secret']}`}>{secret}</code>
      <Button
        variant="default"
        leftSection={copied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.7} />}
        onClick={() => void copy(secret)}
        data-autofocus
      >
        {t(copied ? 'common:copied' : 'channels.copy')}
      </Button>
      <div className={forms['actions']}>
        <Button onClick={onClose}>{t('channels.done')}</Button>
      </div>
    </div>
  )
}
