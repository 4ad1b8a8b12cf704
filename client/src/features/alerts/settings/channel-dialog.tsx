import { Button, MultiSelect, SegmentedControl, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channelKindNames, channelKinds } from '#shared/features/alerts/channel-kinds.ts'
import type { AlertChannel } from '#shared/features/alerts/schema.ts'
import { messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import forms from '#client/ui/form/form.module.css'
import { useOwner, useOwnGroups } from '#client/lib/owner-choice.tsx'
import { channelViews } from './channel-views.tsx'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'

/** Adds or edits a chat or a webhook. The secret of a webhook is shown once, after its creation. */
export function ChannelDialog({ channel, onClose }: { channel?: AlertChannel; onClose: () => void }) {
  const { t } = useTranslation('monitoring')
  const groups = useOwnGroups()
  const { form, secret, renewSecret, renewing } = useChannelForm(channel, onClose)
  const { kind } = form.values
  const { Inputs } = channelViews[kind]
  return (
    <Dialog onClose={onClose} title={t(channel === undefined ? 'channels.new' : 'channels.change')} size={480}>
      {secret !== null ? (
        <WebhookSecret secret={secret} onClose={onClose} />
      ) : (
        <form className="column gap-16" onSubmit={form.submit} noValidate>
          {channel === undefined ? (
            <SegmentedControl
              fullWidth
              aria-label={t('channels.kind')}
              value={kind}
              onChange={(next) => form.set('kind', next)}
              data={channelKindNames.map((value) => ({ value, label: channelViews[value].label(t) }))}
            />
          ) : null}
          <TextInput {...form.text('name')} label={t('channels.name')} required autoComplete="off" data-autofocus />
          <Inputs text={form.text} channel={channel} />
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
          <NamedSwitch name={t('channels.critical_only')} on={form.values.criticalOnly} onChange={(on) => form.set('criticalOnly', on)} />
          <NamedSwitch name={t('channels.enabled')} on={form.values.enabled} onChange={(on) => form.set('enabled', on)} />
          {channel !== undefined && channelKinds[channel.kind].hasSecret ? (
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
      topicId: channel?.topicId == null ? '' : String(channel.topicId),
      url: '',
      groupIds: channel?.groupIds ?? ([] as string[]),
      criticalOnly: channel?.criticalOnly ?? false,
      enabled: channel?.enabled ?? true,
    },
    schema: async () => {
      const { channelFields, changedChannelFields } = await import('#shared/features/alerts/forms.ts')
      return channel === undefined ? channelFields : changedChannelFields
    },
    onSubmit: async ({ kind, name, groupIds, criticalOnly, enabled, ...fields }) => {
      const changes = {
        ...channelViews[kind].input(fields),
        name,
        enabled,
        criticalOnly,
        groupIds: groupIds.length === 0 ? null : groupIds,
      }
      const saved =
        channel === undefined
          ? await create.mutateAsync({ ...owner, kind, ...changes })
          : await update.mutateAsync({ id: channel.id, ...changes })
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
      <code className={`framed size-13 anywhere code on-sunken ${forms['secret']}`}>{secret}</code>
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
