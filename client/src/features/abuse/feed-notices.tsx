import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { FeedNotices, type FeedTexts } from '#client/features/accounts/index.ts'
import { counted } from '#client/lib/format.ts'

/** The accounts whose abuse reports cannot be read. */
export function AbuseFeedNotices({ accounts }: { accounts: readonly Account[] }) {
  const { t } = useTranslation('abuse-reports')
  const texts = {
    title: (problem, count) => t(`feed.${problem}`, counted(count)),
    text: (problem, permission) => t(`feed.${problem}_text`, { permission }),
    message: t('feed.message'),
    accounts: t('feed.accounts'),
    retry: t('feed.retry'),
    retried: t('feed.retried'),
    retryFailed: t('feed.retry_failed'),
  } satisfies FeedTexts
  return <FeedNotices accounts={accounts} feed="abuseFeed" texts={texts} />
}
