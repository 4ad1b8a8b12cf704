import { TextInput } from '@mantine/core'
import { IconBrandTelegram, IconWebhook } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelKind } from '#shared/features/alerts/channel-kinds.ts'
import type { AlertChannel } from '#shared/features/alerts/schema.ts'
import type { Form } from '#client/lib/forms.ts'
import type { Inputs } from '#client/lib/trpc.ts'
import forms from '#client/ui/form/form.module.css'

type AddressForm = Form<{ chatId: string; topicId: string; url: string }>
interface AddressProps {
  text: AddressForm['text']
  channel: AlertChannel | undefined
}

interface ChannelView {
  icon: typeof IconWebhook
  label: (t: TFunction<'monitoring'>) => string
  addressOf: (channel: AlertChannel) => string | null
  /** The inputs of its address. */
  Address: (props: AddressProps) => ReactElement
  /** What they send. */
  input: (fields: {
    chatId: string
    topicId: number | null
    url: string
  }) => Pick<Inputs['alerts']['createChannel'], 'chatId' | 'topicId' | 'url'>
}

/** How each kind of channel is shown and edited. */
export const channelViews = {
  telegram: {
    icon: IconBrandTelegram,
    label: () => 'Telegram',
    addressOf: ({ chatId }) => chatId,
    Address: ChatInputs,
    input: ({ chatId, topicId }) => ({ chatId, topicId }),
  },
  webhook: {
    icon: IconWebhook,
    label: (t) => t('channels.webhook'),
    addressOf: ({ url }) => url,
    Address: UrlInput,
    input: ({ url }) => (url === '' ? {} : { url }),
  },
} satisfies Record<ChannelKind, ChannelView>

function ChatInputs({ text }: AddressProps) {
  const { t } = useTranslation('monitoring')
  return (
    <div className={forms['pair']}>
      <TextInput {...text('chatId')} label={t('telegram.chat')} required placeholder="-1001234567890" autoComplete="off" />
      <TextInput {...text('topicId')} label={t('channels.topic')} inputMode="numeric" autoComplete="off" />
    </div>
  )
}

function UrlInput({ text, channel }: AddressProps) {
  const { t } = useTranslation('monitoring')
  return (
    <TextInput
      {...text('url')}
      label={t('channels.url')}
      description={channel === undefined ? t('channels.url_help') : t('channels.url_kept', { host: channel.url })}
      required={channel === undefined}
      inputMode="url"
      placeholder="https://"
      autoComplete="off"
    />
  )
}
