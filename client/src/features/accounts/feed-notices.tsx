import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'

const problems = ['no_permission', 'account_unclear', 'failed'] as const
type Problem = (typeof problems)[number]
const mostNames = 5

export interface FeedTexts {
  readonly title: (problem: Problem, accounts: number) => string
  readonly text: (problem: Problem, permission: string) => string
  /** Before the provider's message. */
  readonly message: string
  readonly accounts: string
  readonly retry: string
  readonly retried: string
  readonly retryFailed: string
}

interface Shown {
  readonly accounts: readonly Account[]
  readonly feed: 'changeFeed' | 'abuseFeed'
  readonly texts: FeedTexts
}

/** The accounts from which something cannot be read, why, and what to do: each reason once. */
export function FeedNotices({ accounts, feed, texts }: Shown) {
  return problems.map((problem) => {
    const affected = accounts.filter((account) => account[feed]?.state === problem)
    return affected.length === 0 ? null : <Notice key={problem} problem={problem} accounts={affected} feed={feed} texts={texts} />
  })
}

function Notice({ problem, accounts, feed, texts }: Shown & { problem: Problem }) {
  const { t } = useTranslation('common')
  const retry = trpc.accounts.requestSync.useMutation({
    meta: { failure: texts.retryFailed },
    onSuccess: () => toast.info(texts.retried),
  })
  const names = accounts.slice(0, mostNames).map(({ name, email }) => name || email)
  const more = accounts.length - names.length
  const feeds = accounts.flatMap((account) => account[feed] ?? [])
  const permission = feeds.find((each) => each.permission !== null)?.permission ?? ''
  const message = feeds.find((each) => each.message !== null)?.message
  const ids = accounts.filter(({ shared }) => allows(shared, 'operate')).map(({ id }) => id)
  return (
    <div className="mb-12">
      <WarningBox
        tone="warn"
        title={texts.title(problem, accounts.length)}
        actions={
          <>
            <Button variant="default" size="xs" renderRoot={(props) => <Link to="/accounts" {...props} />}>
              {texts.accounts}
            </Button>
            {ids.length === 0 ? null : (
              <Button variant="default" size="xs" loading={retry.isPending} onClick={() => retry.mutate({ ids })}>
                {texts.retry}
              </Button>
            )}
          </>
        }
      >
        <bdi>{[...names, ...(more > 0 ? [t('and_more', counted(more))] : [])].join(', ')}</bdi>. {texts.text(problem, permission)}
        {message === undefined || problem !== 'failed' ? null : (
          <>
            {' '}
            {texts.message} <bdi>{message}</bdi>
          </>
        )}
      </WarningBox>
    </div>
  )
}
