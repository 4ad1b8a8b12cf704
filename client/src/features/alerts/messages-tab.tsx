import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageStates } from '#shared/features/alerts/message-states.ts'
import type { AlertMessage } from '#shared/features/alerts/schema.ts'
import { formatDateTime } from '#client/lib/format.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { pagedRows } from '#client/ui/table/paged-rows.ts'
import { StatusDot, type Tone } from '#client/ui/display/state-badge.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'

const tones: Record<AlertMessage['state'], Tone> = { pending: 'info', sending: 'info', sent: 'good', failed: 'bad', dropped: 'idle' }

interface Search {
  owner?: string
  sent?: AlertMessage['state']
  channel?: string
}

/** Sent and queued messages with their recipients. */
export function MessagesTab({
  search: { owner, sent, channel },
  change,
}: {
  search: Search
  change: (part: SearchPart<Pick<Search, 'sent' | 'channel'>>) => void
}) {
  const { t } = useTranslation('monitoring')
  const ofOwner = owner === undefined ? {} : { ownerId: owner }
  const channels = trpc.alerts.listChannels.useQuery(ofOwner).data?.channels ?? []
  const [openId, setOpenId] = useState<string | null>(null)
  const list = trpc.alerts.listMessages.useInfiniteQuery(
    { limit: 100, ...ofOwner, ...(sent && { state: sent }), ...(channel && { channelId: channel }) },
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
        cell: ({ text }) => <span className="cut block shrink">{text.replaceAll('\n', ' · ')}</span>,
      },
      {
        id: 'channel',
        title: t('messages.channel'),
        width: 150,
        cell: ({ channelName }) => <bdi className="cut block shrink">{channelName}</bdi>,
      },
      { id: 'state', title: t('messages.state'), width: 190, cell: (message) => <State message={message} /> },
      { id: 'created', title: t('messages.created'), width: 160, cell: ({ createdAt }) => formatDateTime(createdAt) },
    ],
    [t],
  )
  const layout = useColumnLayout('alert-messages', columns)
  if (list.isError && list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  const active = [sent, channel].filter((each) => each !== undefined).length
  const open = rows.find(({ id }) => id === openId)
  return (
    <>
      <FilterBar search={null} active={active} onReset={() => change({ sent: undefined, channel: undefined })}>
        <FilterSelect
          label={t('messages.state')}
          options={messageStates.map((value) => ({ value, label: t(`messages.${value}`) }))}
          values={sent === undefined ? [] : [sent]}
          onChange={([next]) => change({ sent: next })}
        />
        <FilterSelect
          label={t('messages.channel')}
          options={channels.map(({ id, name }) => ({ value: id, label: name }))}
          values={channel === undefined ? [] : [channel]}
          onChange={([next]) => change({ channel: next })}
        />
      </FilterBar>
      <div className="column mt-12 min-h-420">
        <DataTable
          label={t('tabs.messages')}
          {...pagedRows(list, rows)}
          getRowId={({ id }) => id}
          getRowLabel={({ text }) => text.slice(0, 60)}
          columns={columns}
          layout={layout}
          scrollKey={JSON.stringify([owner, sent, channel])}
          onOpen={({ id }) => setOpenId(id)}
          renderCard={(message) => (
            <button
              type="button"
              className="bare column center gap-2 full fill size-13 primary text-start"
              onClick={() => setOpenId(message.id)}
            >
              <span className="cut fixed within">{message.text.replaceAll('\n', ' · ')}</span>
              <span className="cut fixed within size-12 muted">
                <State message={message} /> · {formatDateTime(message.createdAt)}
              </span>
            </button>
          )}
          cardHeight={76}
          empty={
            active > 0 ? (
              <NoMatch title={t('messages.no_match')} onReset={() => change({ sent: undefined, channel: undefined })} />
            ) : (
              <EmptyState
                picture="empty"
                title={t('messages.none')}
                text={t('messages.none_text')}
                action={
                  <Button variant="default" renderRoot={(props) => <Link to="/settings" search={{ tab: 'monitoring' }} {...props} />}>
                    {t('messages.set_up')}
                  </Button>
                }
              />
            )
          }
        />
      </div>
      {open === undefined ? null : <MessageDialog message={open} onClose={() => setOpenId(null)} />}
    </>
  )
}

/** A full message, and the receiver's error if it was rejected. */
function MessageDialog({ message, onClose }: { message: AlertMessage; onClose: () => void }) {
  const { t } = useTranslation('monitoring')
  const { text, channelName, state, createdAt, dueAt, sentAt, failureMessage } = message
  return (
    <Dialog onClose={onClose} title={t('messages.about')} size={560}>
      <div className="column gap-16 size-13">
        <p className="row wrap secondary gap-4-12">
          <State message={message} />
          <bdi>{channelName}</bdi>
          <span>{formatDateTime(createdAt)}</span>
        </p>
        <p className="anywhere pre-line">{text}</p>
        {failureMessage === null ? null : <p className="size-12 bad">{failureMessage}</p>}
        {sentAt !== null ? (
          <p className="size-12 muted">{t('messages.sent_at', { at: formatDateTime(sentAt) })}</p>
        ) : state === 'pending' ? (
          <p className="size-12 muted">{t('messages.due_at', { at: formatDateTime(dueAt) })}</p>
        ) : null}
      </div>
    </Dialog>
  )
}

function State({ message: { state, failureMessage, repeated } }: { message: AlertMessage }) {
  const { t } = useTranslation('monitoring')
  const words = [t(`messages.${state}`), ...(repeated ? [t('messages.repeated')] : [])].join(', ')
  return (
    <span className="inline gap-8 shrink within" title={failureMessage ?? undefined}>
      <StatusDot tone={tones[state]} />
      <span className="cut block shrink">{words}</span>
    </span>
  )
}
