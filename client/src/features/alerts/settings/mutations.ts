import { useTranslation } from 'react-i18next'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'

/** Sends a test message and reports whether it was delivered, with the receiver's message if not. */
export function useTestChannel() {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const mutation = trpc.alerts.testChannel.useMutation({
    meta: { failure: t('channels.test_failed') },
    onSettled: () => utils.alerts.listChannels.invalidate(),
  })
  return {
    testing: mutation.isPending,
    test: ({ id, name }: { id: string; name: string }): void =>
      mutation.mutate(
        { id },
        {
          onSuccess: ({ failure }) => {
            if (failure === null) toast.success(t('channels.tested'), name)
            else toast.error(t(`channel_failure.${failure.code}`), failure.message)
          },
        },
      ),
  }
}
