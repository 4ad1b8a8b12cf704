import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import type { Change } from './search.ts'

export interface Review {
  mayReview: (change: Change) => boolean
  mark: (change: Change) => void
  /** The change that is being marked. */
  pending: string | null
}

function useReviewMutation() {
  const { t } = useTranslation('provider-changes')
  const utils = trpc.useUtils()
  return trpc.providerChanges.review.useMutation({
    meta: { failure: t('review.failed') },
    onSuccess: () => utils.providerChanges.list.invalidate(),
  })
}

/** Only who may operate an account marks its changes. */
export function useReview(accounts: readonly Account[] | undefined): Review {
  const { mutate, isPending, variables } = useReviewMutation()
  const pending = isPending ? (variables.ids?.[0] ?? null) : null
  return useMemo(() => {
    const operated = new Set(accounts?.filter(({ shared }) => allows(shared, 'operate')).map(({ id }) => id))
    return { mayReview: ({ account }) => operated.has(account.id), mark: ({ id }) => mutate({ ids: [id] }), pending }
  }, [accounts, mutate, pending])
}

/** Whether a change by others was reviewed, and the button for it. */
export function ReviewState({ change, review }: { change: Change; review: Review }) {
  const { t } = useTranslation('provider-changes')
  if (change.isOwn) return <span className="secondary">—</span>
  if (change.reviewedAt !== null) return <span className="secondary">{t('review.reviewed')}</span>
  if (!review.mayReview(change)) return <span className="secondary">{t('review.open')}</span>
  return (
    <Button variant="default" size="compact-xs" loading={review.pending === change.id} onClick={() => review.mark(change)}>
      {t('review.mark')}
    </Button>
  )
}

/** Marks everything that the panel had read when the list was loaded, of one account if the list is filtered by it. */
export function ReviewAll({ changes, account }: { changes: readonly Change[]; account: Account | undefined }) {
  const { t } = useTranslation('provider-changes')
  const [asking, setAsking] = useState(false)
  const review = useReviewMutation()
  const readUntil = changes.reduce((latest, { readAt }) => (readAt > latest ? readAt : latest), '')
  if (!changes.some(({ isOwn, reviewedAt }) => !isOwn && reviewedAt === null)) return null
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('review.all')}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('review.all_title')}
          consequence={
            account === undefined ? t('review.all_text') : t('review.all_text_account', { account: account.name || account.email })
          }
          action={t('review.mark')}
          count={1}
          harmless
          onConfirm={async () => {
            const { reviewed } = await review.mutateAsync({
              readUntil,
              ...(account === undefined ? {} : { accountId: account.id }),
            })
            toast.success(t('review.done', counted(reviewed)))
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
