import { useTranslation } from 'react-i18next'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { counted } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'

/** Confirms that the user gives up their access to a shared resource. */
export function LeaveDialog({
  target,
  name,
  shared,
  domains,
  onClose,
}: {
  target: Inputs['sharing']['list']
  name: string
  shared: NonNullable<SharedWithMe>
  /** The number of domains in it. */
  domains: number
  onClose: () => void
}) {
  const { t } = useTranslation('sharing')
  const utils = trpc.useUtils()
  const remove = trpc.sharing.remove.useMutation({ meta: { failure: false } })
  const leave = async (): Promise<void> => {
    try {
      const { shares } = await utils.sharing.list.fetch(target, { staleTime: 0 })
      const own = shares.find(({ user }) => user.id === auth.get().user?.id)
      if (own !== undefined) await remove.mutateAsync({ id: own.id })
    } catch (error) {
      toast.failure(error, t('failed.leave'))
      throw error
    }
    toast.success(t('done.left'), name)
    void refresh('shares')
  }
  return (
    <ConfirmDialog
      title={t('leave.title', { name })}
      consequence={
        <>
          <p>{domains === 0 ? t('leave.text_empty') : t('leave.text', counted(domains))}</p>
          <p>{t('leave.after', { owner: shared.by })}</p>
        </>
      }
      action={t('leave.confirm')}
      count={1}
      onConfirm={leave}
      onClose={onClose}
    />
  )
}
