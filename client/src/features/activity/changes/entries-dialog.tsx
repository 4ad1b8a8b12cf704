import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mostEntries } from '#shared/features/provider-changes/names.ts'
import { LateEntryList, LateRevertDialog } from '#client/features/domains/index.ts'
import { formatDateTime, formatNumber } from '#client/lib/format.ts'
import { readAgain, useLiveQueries } from '#client/lib/live-queries.ts'
import { joinFacts } from '#client/lib/text.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import type { Change } from './search.ts'
import type { ProviderChangeWords } from './use-provider-change-words.ts'

type Found = Outputs['providerChanges']['entries']
type Entry = Found['entries'][number]

interface Props {
  change: Change
  words: ProviderChangeWords
  /** The preview of the revert is opened immediately, unless it is not possible. */
  reverts: boolean
  onReverted: () => void
  onClose: () => void
}

/** What a change by others changed, before and after, and its revert. */
export function EntriesDialog(props: Props) {
  const { t } = useTranslation('provider-changes')
  const found = trpc.providerChanges.entries.useQuery({ id: props.change.id }, { staleTime: 0 })
  // A domain that has not been read since the change is read soon.
  useLiveQueries('history')
  if (found.data !== undefined) return <FoundDialog {...props} found={found.data} />
  return (
    <Dialog onClose={props.onClose} title={t('entries.title')} size={640}>
      {found.isError ? (
        <ErrorState title={t('entries.failed')} error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <div className="column gap-16" role="status">
          <span className="sr-only">{t('entries.loading')}</span>
          <Skeleton width="55%" />
          <Skeleton width="70%" />
        </div>
      )}
    </Dialog>
  )
}

function FoundDialog({ change, words, reverts, found, onReverted, onClose }: Props & { found: Found }) {
  const { t } = useTranslation('provider-changes')
  const { domainId, entries, hasMore, refusal } = found
  const revertible = refusal === null ? entries.filter(({ revertedById }) => revertedById === null) : []
  // The entries of the preview stay as they are: the list is read again after the revert.
  const [reverting, setReverting] = useState<readonly Entry[] | null>(reverts && revertible.length > 0 ? revertible : null)
  if (reverting !== null && domainId !== null) {
    const onDone = (): void => {
      onReverted()
      void readAgain('history')
    }
    return <LateRevertDialog scope={{ kind: 'domain', id: domainId }} entries={reverting} onDone={onDone} onClose={onClose} />
  }
  return (
    <Dialog onClose={onClose} title={t('entries.title')} size={640}>
      <div className="column gap-14 size-13">
        <p className="secondary anywhere">
          {joinFacts(change.domain?.displayName ?? change.account.name, words.author(change), formatDateTime(change.at))}
        </p>
        {refusal === null ? null : <p role="status">{t(`entries.refusal.${refusal}`)}</p>}
        {entries.length === 0 ? null : <LateEntryList label={t('entries.title')} entries={entries} />}
        {hasMore && domainId !== null ? (
          <p className="secondary">
            {t('entries.more', { formatted: formatNumber(mostEntries) })}{' '}
            <Link to="/domains/$id/history" params={{ id: domainId }}>
              {t('entries.history')}
            </Link>
          </p>
        ) : null}
        {revertible.length === 0 ? null : (
          <div className="flex end">
            <Button onClick={() => setReverting(revertible)}>{t('menu.revert')}</Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
