import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { unknownActor } from '#shared/features/provider-changes/names.ts'
import { auth } from '#client/lib/auth.ts'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import type { Change } from './search.ts'

export interface Review {
  mayReview: (change: Change) => boolean
  /** Whether a rule may allow changes like it. */
  mayAllow: (change: Change) => boolean
  /** Whether marking all includes it: for administrators, too, only in their own accounts and in those shared with them. */
  isIncluded: (change: Change) => boolean
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
  const { user } = auth.use()
  const userId = user?.id
  const pending = isPending ? (variables.ids?.[0] ?? null) : null
  return useMemo(() => {
    const operated = accounts?.filter(({ shared }) => allows(shared, 'operate')) ?? []
    const managed = new Set(operated.filter(({ shared }) => allows(shared, 'manage')).map(({ id }) => id))
    const ids = new Set(operated.map(({ id }) => id))
    const included = new Set(operated.filter(({ shared, ownerId }) => shared !== null || ownerId === userId).map(({ id }) => id))
    return {
      mayReview: ({ account }) => ids.has(account.id),
      mayAllow: ({ account, actor, isOwn }) => !isOwn && actor.name !== unknownActor && managed.has(account.id),
      isIncluded: ({ account }) => included.has(account.id),
      mark: ({ id }) => mutate({ ids: [id] }),
      pending,
    }
  }, [accounts, userId, mutate, pending])
}

/** Whether a change by others was reviewed, and the button for it. */
export function ReviewState({ change, review, compact = false }: { change: Change; review: Review; compact?: boolean }) {
  const { t } = useTranslation('provider-changes')
  if (change.isOwn) return <span className="secondary">—</span>
  if (change.reviewedAt !== null) return <span className="secondary">{t(change.isAllowed ? 'review.allowed' : 'review.reviewed')}</span>
  if (!review.mayReview(change)) return <span className="secondary">{t('review.open')}</span>
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={review.pending === change.id}
      onClick={() => review.mark(change)}
      {...(compact && { 'aria-label': t('review.mark'), title: t('review.mark') })}
    >
      {compact ? <IconCheck size={15} stroke={1.8} aria-hidden /> : t('review.mark')}
    </Button>
  )
}

/** Marks everything that the panel had read when the list was loaded, of one account if the list is filtered by it. */
export function ReviewAll({
  changes,
  accountId,
  readUntil,
  review,
}: {
  changes: readonly Change[]
  accountId: string | undefined
  /** Until when the panel had read the changes of the list. */
  readUntil: string | undefined
  review: Review
}) {
  const { t } = useTranslation('provider-changes')
  /** The bound of what the person saw; the list may be loaded again while the dialog is open. */
  const [asked, setAsked] = useState<string | null>(null)
  const mutation = useReviewMutation()
  const may = accountId === undefined ? review.isIncluded : review.mayReview
  const waiting = changes.find(
    (change) => !change.isOwn && change.reviewedAt === null && (accountId === undefined || change.account.id === accountId) && may(change),
  )
  if (waiting === undefined || readUntil === undefined) return null
  return (
    <>
      <Button variant="default" onClick={() => setAsked(readUntil)}>
        {t('review.all')}
      </Button>
      {asked === null ? null : (
        <ConfirmDialog
          title={t('review.all_title')}
          consequence={accountId === undefined ? t('review.all_text') : t('review.all_text_account', { account: waiting.account.name })}
          action={t('review.mark')}
          count={1}
          harmless
          onConfirm={async () => {
            const { reviewed } = await mutation.mutateAsync({
              readUntil: asked,
              ...(accountId === undefined ? {} : { accountId }),
            })
            toast.success(t('review.done', counted(reviewed)))
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
