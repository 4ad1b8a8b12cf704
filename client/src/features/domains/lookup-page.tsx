import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconCopy, IconListCheck, IconListSearch, IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, type Outputs } from '#client/lib/trpc.ts'
import { useCopy } from '#client/ui/copy-button.tsx'
import { DataTable } from '#client/ui/data-table.tsx'
import type { DataColumn } from '#client/ui/data-table.types.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { StateBadge } from '#client/ui/state-badge.tsx'
import type { Tone } from '#client/ui/status-dot.tsx'
import { TextPaste } from '#client/ui/text-paste.tsx'
import { Tile, Tiles } from '#client/ui/tile.tsx'
import { useColumnLayout } from '#client/ui/use-column-layout.ts'
import { bulkBarSpace } from '#client/ui/bulk-bar.tsx'
import { domainSelection } from './domain-selection.ts'
import { DomainsBulkBar } from './domains-bulk-bar.tsx'
import { askLookup, lookup } from './lookup-store.ts'
import { nothing } from './selection.ts'
import { mostNames, splitNames } from './split-names.ts'
import backs from '#client/ui/back-link.module.css'
import classes from './lookup-page.module.css'

type DomainLookup = Outputs['domains']['lookup']
type Result = DomainLookup['results'][number]
type State = Result['state']

const states = ['ours', 'absent', 'invalid', 'repeated'] as const satisfies readonly State[]
const tones: Record<State, Tone> = { ours: 'good', absent: 'idle', invalid: 'bad', repeated: 'warn' }

/** Many names at once: which of them are ours, and in which account. */
export function LookupPage() {
  const { t } = useTranslation('domains')
  const { asked } = lookup.use()
  return (
    <>
      <Link to="/domains" className={backs['back']}>
        <IconArrowLeft size={14} aria-hidden />
        {t('details.back')}
      </Link>
      {asked === null ? <Question /> : <Answer key={asked.id} id={asked.id} names={asked.names} />}
    </>
  )
}

function Question() {
  const { t } = useTranslation('domains')
  const { text } = lookup.use()
  const names = useMemo(() => splitNames(text).length, [text])
  const over = Math.max(0, names - mostNames)
  return (
    <>
      <PageHeader title={t('lookup.title')} />
      <form
        className={classes['question']}
        onSubmit={(event) => {
          event.preventDefault()
          askLookup(text)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) askLookup(text)
        }}
      >
        <TextPaste
          label={t('lookup.label')}
          help={t('lookup.help', { most: formatNumber(mostNames) })}
          placeholder={t('lookup.placeholder')}
          value={text}
          onChange={(next) => lookup.set((before) => ({ ...before, text: next }))}
          faults={[]}
          error={over > 0 ? t('lookup.too_many', { count: over, total: formatNumber(over) }) : undefined}
          summary={t('lookup.found', { count: names, total: formatNumber(names) })}
          rows={14}
        />
        <Button type="submit" disabled={names === 0 || over > 0} leftSection={<IconListSearch size={16} aria-hidden />}>
          {t('lookup.check')}
        </Button>
      </form>
    </>
  )
}

function Answer({ id, names }: { id: number; names: readonly string[] }) {
  const { t } = useTranslation('domains')
  const [state, setState] = useState<State | null>(null)
  const { copy } = useCopy(t('actions.copy_failed'))
  const answer = useQuery({
    queryKey: ['lookup', id],
    queryFn: ({ signal }): Promise<DomainLookup> => api.domains.lookup.mutate({ names: [...names] }, { signal }),
    gcTime: 0,
  })
  const results = answer.data?.results
  const counts = useMemo(() => {
    const all: Record<State, number> = { ours: 0, absent: 0, invalid: 0, repeated: 0 }
    for (const result of results ?? []) all[result.state] += 1
    return all
  }, [results])
  const shown = useMemo(
    () => (state === null ? (results ?? []) : (results ?? []).filter((result) => result.state === state)),
    [results, state],
  )
  const ours = useMemo(
    () => [...new Set((results ?? []).flatMap((result) => (result.state === 'ours' ? (result.domain?.id ?? []) : [])))],
    [results],
  )
  const selection = domainSelection.use()
  // What was chosen in the list of all domains is not acted on here.
  const chosenHere = useMemo(() => {
    const here = new Set(ours)
    return selection.kind === 'some' && [...selection.ids.keys()].every((id) => here.has(id))
  }, [ours, selection])
  const count = chosenHere && selection.kind === 'some' ? selection.ids.size : 0
  const columns = useLookupColumns()
  const layout = useColumnLayout('lookup', columns)

  const copyShown = async (): Promise<void> => {
    const text = shown.map((result) => result.domain?.displayName ?? result.given).join('\n')
    if (await copy(text)) toast.success(t('selection.copied', { count: shown.length, total: formatNumber(shown.length) }))
  }

  return (
    <>
      <PageHeader
        title={t('lookup.title')}
        meta={t('lookup.found', { count: names.length, total: formatNumber(names.length) })}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconPencil size={15} aria-hidden />}
              onClick={() => lookup.set((before) => ({ ...before, asked: null }))}
            >
              {t('lookup.edit')}
            </Button>
            {ours.length === 0 || count > 0 ? null : (
              <Button
                leftSection={<IconListCheck size={15} aria-hidden />}
                onClick={() => domainSelection.set({ kind: 'some', ids: new Map(ours.map((id) => [id, null])), filters: [{}] })}
              >
                {t('lookup.select', { count: ours.length, total: formatNumber(ours.length) })}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconCopy size={15} aria-hidden />}
              disabled={shown.length === 0}
              onClick={() => void copyShown()}
            >
              {t('lookup.copy')}
            </Button>
          </>
        }
      />
      <div className={classes['tiles']}>
        <Tiles label={t('lookup.results')}>
          <Tile label={t('lookup.all')} value={results?.length} pressed={state === null} onPress={() => setState(null)} />
          {states.map((each) => (
            <Tile
              key={each}
              label={t(`lookup.${each}`)}
              tone={tones[each]}
              value={results === undefined ? undefined : counts[each]}
              pressed={state === each}
              onPress={() => setState(state === each ? null : each)}
            />
          ))}
        </Tiles>
      </div>
      {answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <DataTable
          key={state}
          label={t('lookup.results')}
          rowCount={shown.length}
          getRow={(index) => shown[index]}
          getRowId={(result) => `${result.state} ${result.given}`}
          getRowLabel={(result) => result.given}
          columns={columns}
          layout={layout}
          loading={answer.isPending}
          renderCard={(result) => <ResultCard result={result} />}
          cardHeight={76}
          empty={<p className={classes['nothing']}>{t('lookup.nothing')}</p>}
          bottomSpace={count > 0 ? bulkBarSpace : 0}
        />
      )}
      <DomainsBulkBar
        selecting={{ selection: chosenHere ? selection : nothing, count, known: [], clear: () => domainSelection.set(nothing) }}
        matching={count}
      />
    </>
  )
}

function useLookupColumns(): readonly DataColumn<Result>[] {
  const { t } = useTranslation('domains')
  return useMemo(
    () => [
      {
        id: 'given',
        title: t('lookup.label'),
        width: 320,
        grow: true,
        hideable: false,
        cell: (result) => <Given result={result} />,
      },
      {
        id: 'state',
        title: t('columns.status'),
        width: 240,
        cell: ({ state }) => <StateBadge quiet tone={tones[state]} label={t(`lookup.state.${state}`)} />,
      },
      {
        id: 'account',
        title: t('columns.account'),
        width: 280,
        cell: ({ domain }) =>
          domain === null ? null : (
            <Link to="/domains" search={{ account: domain.accountId }} className={classes['account']} title={domain.accountEmail}>
              {domain.accountEmail}
            </Link>
          ),
      },
    ],
    [t],
  )
}

function Given({ result: { given, domain } }: { result: Result }) {
  return domain === null ? (
    <bdi className={classes['given']} title={given}>
      {given}
    </bdi>
  ) : (
    <Link to="/domains/$id" params={{ id: domain.id }} className={classes['ours']} title={given} preload={false}>
      <bdi dir="ltr">{domain.displayName}</bdi>
    </Link>
  )
}

function ResultCard({ result }: { result: Result }) {
  const { t } = useTranslation('domains')
  return (
    <div className={classes['card']}>
      <Given result={result} />
      <StateBadge quiet tone={tones[result.state]} label={result.domain?.accountEmail ?? t(`lookup.state.${result.state}`)} />
    </div>
  )
}
