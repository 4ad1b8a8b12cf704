import { Button, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatTime } from '#client/lib/format.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { EmptyState, ShowAll } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { logLevels, logOf, type LogEntry, type LogLevel } from './item-log.ts'
import { logCsv } from './items-csv.ts'
import { useAllItems } from './queries.ts'
import { useOperationWords, type OperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

const tones: Record<LogLevel, Tone> = { success: 'good', warning: 'warn', error: 'bad' }
const cardHeight = 104

/** The log of an addition of domains, line by line, latest first (R-DOM-07). */
export function CreationLog({ id, going }: { id: string; going: boolean }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const [level, setLevel] = useState<LogLevel | 'all'>('all')
  const items = useAllItems(id, going)
  const log = useMemo(() => logOf(items.data ?? []), [items.data])
  const shown = useMemo(() => (level === 'all' ? log : log.filter((entry) => entry.level === level)), [log, level])
  const columns = useColumns(words)
  const layout = useColumnLayout('creation-log', columns)
  if (items.isError && items.data === undefined) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />
  return (
    <>
      <div className={`flex wrap gap-8 mb-12 ${classes['tools']}`}>
        <SegmentedControl
          aria-label={t('log.show')}
          value={level}
          onChange={setLevel}
          data={[
            { value: 'all', label: t('log.all') },
            ...logLevels.map((each) => ({
              value: each,
              label: `${t(`log.${each}`)} ${formatNumber(log.filter((entry) => entry.level === each).length)}`,
            })),
          ]}
        />
        <Button
          variant="default"
          disabled={shown.length === 0}
          leftSection={<IconDownload size={15} stroke={1.8} aria-hidden />}
          onClick={() => saveFile('log.csv', 'text/csv', logCsv(shown, words))}
        >
          {t('log.save')}
        </Button>
      </div>
      <DataTable
        label={t('views.log')}
        rowCount={shown.length}
        getRow={(index) => shown[index]}
        getRowId={({ key }) => key}
        getRowLabel={({ domain }) => domain}
        columns={columns}
        layout={layout}
        loading={items.isPending}
        scrollKey={level}
        renderCard={(entry) => <Card entry={entry} words={words} />}
        cardHeight={cardHeight}
        empty={
          <EmptyState
            picture="empty"
            title={t('log.empty')}
            {...(level !== 'all' && { action: <ShowAll onClick={() => setLevel('all')} /> })}
          />
        }
      />
    </>
  )
}

function useColumns(words: OperationWords): readonly DataColumn<LogEntry>[] {
  const { t } = useTranslation('operations')
  return [
    { id: 'time', title: t('page.time'), width: 84, cell: ({ at }) => <Time at={at} /> },
    {
      id: 'level',
      title: t('log.level'),
      width: 150,
      cell: ({ level }) => <StateBadge quiet tone={tones[level]} label={t(`log.${level}`)} />,
    },
    { id: 'domain', title: t('page.domain'), width: 220, minWidth: 140, hideable: false, cell: (entry) => <Domain entry={entry} /> },
    {
      id: 'account',
      title: t('page.account'),
      width: 220,
      cell: ({ account }) => <bdi className={`cut ${classes['clip']}`}>{account ?? '—'}</bdi>,
    },
    { id: 'text', title: t('log.text'), width: 320, minWidth: 180, grow: true, cell: (entry) => <Text entry={entry} words={words} /> },
  ]
}

const Time = ({ at }: { at: string | null }) => (at === null ? '—' : <time dateTime={at}>{formatTime(at)}</time>)

function Domain({ entry: { domain, domainId } }: { entry: LogEntry }) {
  return domainId === null ? (
    <bdi className={`cut ${classes['clip']} mono`}>{domain}</bdi>
  ) : (
    <Link to="/domains/$id" params={{ id: domainId }} className={`cut primary ${classes['domain']} mono`}>
      {domain}
    </Link>
  )
}

function Text({ entry, words }: { entry: LogEntry; words: OperationWords }) {
  const { t } = useTranslation('operations')
  const { ours, theirs, again } = words.result({ ...entry, waitUntil: entry.again })
  const text = entry.moved
    ? t('log.moved', { account: entry.account ?? '', why: ours ?? '' })
    : entry.level === 'success'
      ? t('log.added')
      : [ours, theirs, again].filter((part) => part !== null).join(' · ')
  return (
    <span className={`cut ${classes['clip']}`} title={text}>
      {text}
    </span>
  )
}

function Card({ entry, words }: { entry: LogEntry; words: OperationWords }) {
  const { t } = useTranslation('operations')
  return (
    <div className={`column gap-6 size-13 primary radius-8 focus-inside cover p-12 ${classes['card']}`}>
      <div className="flex gap-8 between shrink">
        <Domain entry={entry} />
        <StateBadge quiet tone={tones[entry.level]} label={t(`log.${entry.level}`)} />
      </div>
      <span className={`size-12 muted ${classes['quiet']}`}>
        <Time at={entry.at} />
        {entry.account === null ? null : (
          <>
            {' · '}
            <bdi>{entry.account}</bdi>
          </>
        )}
      </span>
      <Text entry={entry} words={words} />
    </div>
  )
}
