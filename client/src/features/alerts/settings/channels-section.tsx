import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AlertChannel } from '#shared/features/alerts/schema.ts'
import { counted } from '#client/lib/format.ts'
import { joinFacts } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { useOwner } from '#client/lib/owner-choice.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { channelViews } from './channel-views.tsx'
import { useTestChannel } from './mutations.ts'
import { SettingsRow, SettingsRows } from '#client/ui/table/settings-row.tsx'

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
      <SettingsRows
        label={t('channels.title')}
        rows={channels}
        row={(channel) => (
          <SettingsRow
            key={channel.id}
            icon={channelViews[channel.kind].icon}
            name={
              <>
                <bdi>{channel.name}</bdi>
                <span className="size-12 muted">{channelViews[channel.kind].addressOf(channel)}</span>
              </>
            }
            warn={channel.failure !== null}
            about={
              channel.failure === null
                ? joinFacts(
                    channel.enabled ? null : t('channels.off'),
                    channel.groupIds === null ? t('channels.all') : t('channels.groups', counted(channel.groupIds.length)),
                    channel.criticalOnly ? t('channels.critical') : null,
                    channel.waiting === 0 ? null : t('channels.waiting', counted(channel.waiting)),
                  )
                : `${t(`channel_failure.${channel.failure.code}`)} ${channel.failure.message}`
            }
            edit={{ label: t('channels.edit_one', { name: channel.name }), onPress: () => setDialog({ kind: 'edit', channel }) }}
            remove={
              channel.main
                ? undefined
                : { label: t('channels.delete_one', { name: channel.name }), onPress: () => setDialog({ kind: 'delete', channel }) }
            }
          >
            <Button variant="subtle" size="xs" onClick={() => test(channel)} aria-label={t('channels.test_one', { name: channel.name })}>
              {t('channels.test')}
            </Button>
          </SettingsRow>
        )}
      />
      <div className="flex wrap gap-8">
        <Button variant="default" onClick={() => setDialog({ kind: 'new' })}>
          {t('channels.add')}
        </Button>
      </div>
      {dialog === null ? null : dialog.kind === 'delete' ? (
        <ConfirmDialog
          title={t('channels.delete_title', { name: dialog.channel.name })}
          consequence={<p>{t('channels.delete_text', counted(dialog.channel.waiting))}</p>}
          action={t('delete')}
          count={1}
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
