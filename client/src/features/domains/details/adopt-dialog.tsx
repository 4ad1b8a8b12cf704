import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangeList } from '#client/features/operations/index.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, utils } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'

/** Takes the state of a domain into its profile, after showing what changes there and how many domains will then differ. */
export function AdoptDialog({
  domain: { id, name, displayName },
  profile,
  onClose,
}: {
  domain: { id: string; name: string; displayName: string }
  profile: { name: string }
  onClose: () => void
}) {
  const { t } = useTranslation('zone')
  const preview = trpc.profiles.previewAdoption.useQuery({ id }, { staleTime: 0, gcTime: 0, trpc: { context: { unbatched: true } } })
  const adopt = trpc.profiles.adopt.useMutation({ meta: { failure: t('profile.adopt_failed') } })
  const title = t('profile.adopt_title', { domain: displayName, profile: profile.name })
  if (preview.data === undefined)
    return (
      <Dialog onClose={onClose} title={title} size={560}>
        {preview.error === null ? (
          <Skeleton width="70%" height={80} />
        ) : (
          <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
        )}
      </Dialog>
    )
  const { difference, differing, fingerprint } = preview.data
  const side = (which: 'before' | 'after') => ({
    settings: Object.fromEntries(difference.settings.map((each) => [each.key, each[which]])),
    records: [],
    rules: difference.rules.map((each) => each[which]),
  })
  const isEmpty = difference.settings.length + difference.rules.length === 0
  if (isEmpty)
    return (
      <Dialog onClose={onClose} title={title} size={560}>
        <p className="size-13 secondary pretty">{t('profile.adopt_nothing')}</p>
      </Dialog>
    )
  return (
    <ConfirmDialog
      title={title}
      consequence={
        <div className="column gap-12">
          <p>{t('profile.adopt_text', { version: formatNumber(preview.data.profile.version + 1) })}</p>
          <Suspense fallback={<Skeleton width="70%" />}>
            <ChangeList domain={name} before={side('before')} after={side('after')} />
          </Suspense>
          <p>{differing === 0 ? t('profile.adopt_none_differ') : t('profile.adopt_differing', counted(differing))}</p>
        </div>
      }
      action={t('profile.adopt_confirm')}
      count={1}
      harmless
      failure={t('profile.adopt_failed')}
      onConfirm={async () => {
        await adopt.mutateAsync({ id, fingerprint })
        await utils.profiles.invalidate()
        toast.success(t('profile.adopted'), profile.name)
      }}
      onClose={onClose}
    />
  )
}
