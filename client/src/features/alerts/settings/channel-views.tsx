import { TextInput } from '@mantine/core'
import { IconBrandTelegram, IconWebhook, type Icon } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import type { AddressField, ChannelKind } from '#shared/features/alerts/channel-kinds.ts'
import type { AlertChannel } from '#shared/features/alerts/schema.ts'
import type { Form } from '#client/lib/forms.ts'
import forms from '#client/ui/form/form.module.css'

interface AddressProps {
  text: Form<Record<AddressField, string>>['text']
  channel: AlertChannel | undefined
}
interface Address {
  chatId: string
  topicId: number | null
  url: string
}

interface ChannelView {
  icon: Icon
  label: (t: TFunction<'monitoring'>) => string
  addressOf: (channel: AlertChannel) => string | null
  /** The inputs of its address, and what they send. */
  Inputs: (props: AddressProps) => ReactElement
  input: (address: Address) => Partial<Address>
}

/** How each kind of channel is shown and edited. */
export const channelViews = {
  telegram: {
    icon: IconBrandTelegram,
    label: () => 'Telegram',
    addressOf: ({ chatId }) => chatId,
    Inputs: ChatInputs,
    input: ({ chatId, topicId }) => ({ chatId, topicId }),
  },
  webhook: {
    icon: IconWebhook,
    label: (t) => t('channels.webhook'),
    addressOf: ({ url }) => url,
    Inputs: UrlInput,
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
