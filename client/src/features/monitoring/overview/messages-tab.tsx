import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AlertMessage } from '#shared/features/alerts/schema.ts'
import { formatDateTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DataTable } from '#client/ui/data-table.tsx'
import type { DataColumn } from '#client/ui/data-table.types.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { StatusDot, type Tone } from '#client/ui/status-dot.tsx'
import { useColumnLayout } from '#client/ui/use-column-layout.ts'
import classes from '../monitoring.module.css'

const tones: Record<AlertMessage['state'], Tone> = { pending: 'info', sending: 'info', sent: 'good', failed: 'bad', dropped: 'idle' }

/** What was told to whom, and what still waits. */
export function MessagesTab({ owner }: { owner: string | undefined }) {
  const { t } = useTranslation('monitoring')
  const list = trpc.alerts.listMessages.useInfiniteQuery(
    { limit: 100, ...(owner && { ownerId: owner }) },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const rows = useMemo(() => list.data?.pages.flatMap(({ messages }) => messages) ?? [], [list.data])
  const columns = useMemo(
    (): readonly DataColumn<AlertMessage>[] => [
      {
        id: 'text',
        title: t('messages.text'),
        width: 420,
        grow: true,
        hideable: false,
        cell: ({ text }) => (
          <span className={classes['cut']} title={text}>
            {text.replaceAll('\n', ' · ')}
          </span>
        ),
      },
      {
        id: 'channel',
        title: t('messages.channel'),
        width: 150,
        cell: ({ channelName }) => <bdi className={classes['cut']}>{channelName}</bdi>,
      },
      { id: 'state', title: t('messages.state'), width: 190, cell: (message) => <State message={message} /> },
      { id: 'created', title: t('messages.created'), width: 160, cell: ({ createdAt }) => formatDateTime(createdAt) },
    ],
    [t],
  )
  const layout = useColumnLayout('alert-messages', columns)
  if (list.isError && list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div className={classes['list']}>
      <DataTable
        label={t('tabs.messages')}
        rowCount={rows.length + Number(list.hasNextPage)}
        getRow={(index) => rows[index]}
        getRowId={({ id }) => id}
        getRowLabel={({ text }) => text.slice(0, 60)}
        onRangeVisible={(_from, until) => {
          if (until >= rows.length && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
        }}
        columns={columns}
        layout={layout}
        loading={list.isPending}
        renderCard={(message) => (
          <div className={classes['messageCard']}>
            <span className={classes['cut']}>{message.text.replaceAll('\n', ' · ')}</span>
            <span className={classes['muted']}>
              <State message={message} /> · {formatDateTime(message.createdAt)}
            </span>
          </div>
        )}
        cardHeight={72}
        empty={<EmptyState picture="empty" title={t('messages.none')} text={t('messages.none_text')} />}
      />
    </div>
  )
}

function State({ message: { state, failureMessage, repeated } }: { message: AlertMessage }) {
  const { t } = useTranslation('monitoring')
  const words = [t(`messages.${state}`), ...(repeated ? [t('messages.repeated')] : [])].join(', ')
  return (
    <span className={classes['state']} title={failureMessage ?? undefined}>
      <StatusDot tone={tones[state]} />
      <span className={classes['cut']}>{words}</span>
    </span>
  )
}
