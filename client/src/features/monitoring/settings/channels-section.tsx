import { Button } from '@mantine/core'
import { IconBrandTelegram, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AlertChannel } from '#shared/features/alerts/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { FormSection } from '#client/ui/form-section.tsx'
import rows from '#client/ui/row-list.module.css'
import { useOwner } from '../owner-choice.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { useTestChannel } from './mutations.ts'
import classes from '../monitoring.module.css'

type Dialog = { kind: 'new' } | { kind: 'edit' | 'delete'; channel: AlertChannel }

/** Further chats and webhooks, each for everything or for some groups. */
export function ChannelsSection() {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const list = trpc.alerts.listChannels.useQuery(useOwner())
  const remove = trpc.alerts.removeChannel.useMutation({ meta: { failure: t('failed.act') } })
  const { test } = useTestChannel()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = (): void => setDialog(null)
  const channels = list.data?.channels ?? []
  return (
    <FormSection title={t('channels.title')} text={t('channels.text')}>
      {channels.length === 0 ? null : (
        <ul className={`card ${classes['rows']}`} aria-label={t('channels.title')}>
          {channels.map((channel) => (
            <li key={channel.id} className={`divided ${rows['row']}`}>
              {channel.kind === 'telegram' ? (
                <IconBrandTelegram size={18} stroke={1.6} aria-hidden />
              ) : (
                <IconWebhook size={18} stroke={1.6} aria-hidden />
              )}
              <span className={rows['words']}>
                <span className={rows['name']}>
                  <bdi>{channel.name}</bdi>
                  <span className="size-12 muted">{channel.kind === 'telegram' ? channel.chatId : channel.url}</span>
                </span>
                <span className={`muted pretty ${rows['about']}`} data-warn={channel.failure !== null || undefined}>
                  {channel.failure === null
                    ? [
                        channel.enabled ? null : t('channels.off'),
                        channel.groupIds === null
                          ? t('channels.all')
                          : t('channels.groups', { count: channel.groupIds.length, formatted: formatNumber(channel.groupIds.length) }),
                        channel.criticalOnly ? t('channels.critical') : null,
                        channel.waiting === 0
                          ? null
                          : t('channels.waiting', { count: channel.waiting, formatted: formatNumber(channel.waiting) }),
                      ]
                        .filter((part) => part !== null)
                        .join(' · ')
                    : `${t(`channel_failure.${channel.failure.code}`)} ${channel.failure.message}`}
                </span>
              </span>
              <Button variant="subtle" size="xs" onClick={() => test(channel)} aria-label={t('channels.test_one', { name: channel.name })}>
                {t('channels.test')}
              </Button>
              <Button
                variant="subtle"
                size="xs"
                color="gray"
                onClick={() => setDialog({ kind: 'edit', channel })}
                aria-label={t('channels.edit_one', { name: channel.name })}
              >
                {t('edit')}
              </Button>
              {channel.main ? null : (
                <Button
                  variant="subtle"
                  size="xs"
                  color="red"
                  onClick={() => setDialog({ kind: 'delete', channel })}
                  aria-label={t('channels.delete_one', { name: channel.name })}
                >
                  {t('delete')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="flex wrap gap-8">
        <Button variant="default" onClick={() => setDialog({ kind: 'new' })}>
          {t('channels.add')}
        </Button>
      </div>
      {dialog === null ? null : dialog.kind === 'delete' ? (
        <ConfirmDialog
          title={t('channels.delete_title', { name: dialog.channel.name })}
          consequence={
            <p>{t('channels.delete_text', { count: dialog.channel.waiting, formatted: formatNumber(dialog.channel.waiting) })}</p>
          }
          action={t('delete')}
          things={1}
          onConfirm={async () => {
            await remove.mutateAsync({ id: dialog.channel.id })
            await utils.alerts.invalidate()
            toast.success(t('channels.deleted'), dialog.channel.name)
          }}
          onClose={close}
        />
      ) : (
        <ChannelDialog {...(dialog.kind === 'edit' && { channel: dialog.channel })} onClose={close} />
      )}
    </FormSection>
  )
}
