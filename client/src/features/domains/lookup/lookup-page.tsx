import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconCopy, IconListCheck, IconListSearch, IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { handleSubmit } from '#client/lib/forms.ts'
import { joinFacts } from '#client/lib/text.ts'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, type Outputs } from '#client/lib/trpc.ts'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import { Tile, Tiles } from '#client/ui/chart/tile.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { domainSelection } from '../list/use-domain-selection.ts'
import { DomainsBulkBar } from '../list/domains-bulk-bar.tsx'
import { askLookup, lookup } from './lookup-store.ts'
import { nothing } from '../list/selection.ts'
import { mostNames, splitNames } from './split-names.ts'
import { statusTone } from '../use-domain-words.ts'
import { filterOptionsQuery } from '../list/queries.ts'
import backs from '#client/ui/layout/back-link.module.css'
import classes from './lookup-page.module.css'

type DomainLookup = Outputs['domains']['lookup']
type Result = DomainLookup['results'][number]
type State = Result['state']
type Found = NonNullable<Result['domain']>
/** A name, or one of the domains with that name. */
interface Line {
  result: Result
  found: Found | null
}

const states = ['ours', 'absent', 'invalid', 'repeated'] as const satisfies readonly State[]
const tones: Record<State, Tone> = { ours: 'good', absent: 'idle', invalid: 'bad', repeated: 'warn' }

/** A name in several accounts yields several domains. */
const foundOf = ({ state, domain, others }: Result): readonly Found[] => (state === 'ours' && domain !== null ? [domain, ...others] : [])

/** Looks up many names: which of them are in the panel, and in which accounts. */
export function LookupPage() {
  const { t } = useTranslation('domains')
  const { asked } = lookup.use()
  return (
    <>
      <Link to="/domains" className={`inline self-start size-13 muted radius-s hover-primary ${backs['back']}`}>
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
        className={`column gap-12 top ${classes['question']}`}
        onSubmit={(event) => handleSubmit(event, () => askLookup(text))}
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
  const answer = useQuery({
    queryKey: ['lookup', id],
    queryFn: ({ signal }): Promise<DomainLookup> => api.domains.lookup.mutate({ names: [...names] }, { signal }),
    gcTime: 0,
  })
  const results = answer.data?.results
  const shown = useMemo(
    () => (state === null ? (results ?? []) : (results ?? []).filter((result) => result.state === state)),
    [results, state],
  )
  const lines = useMemo(
    () =>
      shown.flatMap((result): readonly Line[] => {
        const found = foundOf(result)
        return found.length === 0 ? [{ result, found: result.domain }] : found.map((each) => ({ result, found: each }))
      }),
    [shown],
  )
  const found = useMemo(() => (results ?? []).flatMap(foundOf), [results])
  const ours = useMemo(() => found.map(({ id }) => id), [found])
  const inMany = (results ?? []).filter((result) => foundOf(result).length > 1).length
  const { selection, count } = useSelectedHere(ours)
  const { owners, ownerOf } = useOwners(found)
  const columns = useLookupColumns(owners === undefined ? null : ownerOf)
  const layout = useColumnLayout('lookup', columns)

  return (
    <>
      <PageHeader
        title={t('lookup.title')}
        meta={joinFacts(
          t('lookup.found', { count: names.length, total: formatNumber(names.length) }),
          inMany === 0 ? null : t('lookup.in_many', { count: inMany, total: formatNumber(inMany) }),
        )}
        actions={<Actions shown={shown} ours={ours} selectable={ours.length > 0 && count === 0} />}
      />
      <StateTiles results={results} state={state} onChange={setState} />
      {answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <DataTable
          key={state}
          label={t('lookup.results')}
          rowCount={lines.length}
          getRow={(index) => lines[index]}
          getRowId={({ result, found: of }) => `${result.state} ${of?.id ?? ''} ${result.given}`}
          getRowLabel={({ result }) => result.given}
          columns={columns}
          layout={layout}
          loading={answer.isPending}
          renderCard={(line) => <ResultCard line={line} owner={ownerOf(line.found)} />}
          cardHeight={owners === undefined ? 76 : 100}
          empty={<p className={`muted text-center ${classes['nothing']}`}>{t('lookup.nothing')}</p>}
          bottomSpace={count > 0 ? bulkBarSpace : 0}
        />
      )}
      <DomainsBulkBar selecting={{ selection, count, known: [], clear: () => domainSelection.set(nothing) }} matching={count} />
    </>
  )
}

/** The selection among the found domains, independent of the list of all domains. */
function useSelectedHere(ours: readonly string[]) {
  const selection = domainSelection.use()
  const selectedHere = useMemo(() => {
    const here = new Set(ours)
    return selection.kind === 'some' && [...selection.ids.keys()].every((id) => here.has(id))
  }, [ours, selection])
  return selectedHere && selection.kind === 'some' ? { selection, count: selection.ids.size } : { selection: nothing, count: 0 }
}

/** The owners of the found domains, if there are several. */
function useOwners(found: readonly Found[]) {
  const several = new Set(found.map(({ ownerId }) => ownerId)).size > 1
  const known = useQuery({ ...filterOptionsQuery(undefined), enabled: several }).data?.owners
  const owners = several ? known : undefined
  const ownerOf = useMemo(() => {
    const names = new Map(owners?.map(({ id: owner, name }) => [owner, name]))
    return (of: Found | null): string => names.get(of?.ownerId ?? '') ?? ''
  }, [owners])
  return { owners, ownerOf }
}

function Actions({ shown, ours, selectable }: { shown: readonly Result[]; ours: readonly string[]; selectable: boolean }) {
  const { t } = useTranslation('domains')
  const { copy } = useCopy()
  const copyShown = async (): Promise<void> => {
    const text = shown.map((result) => result.domain?.displayName ?? result.given).join('\n')
    if (await copy(text)) toast.success(t('selection.copied', { count: shown.length, total: formatNumber(shown.length) }))
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={15} aria-hidden />}
        onClick={() => lookup.set((before) => ({ ...before, asked: null }))}
      >
        {t('lookup.edit')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconCopy size={15} aria-hidden />}
        disabled={shown.length === 0}
        onClick={() => void copyShown()}
      >
        {t('lookup.copy')}
      </Button>
      {selectable ? (
        <Button
          leftSection={<IconListCheck size={15} aria-hidden />}
          onClick={() => domainSelection.set({ kind: 'some', ids: new Map(ours.map((id) => [id, null])), filters: [{}] })}
        >
          {t('lookup.select', { count: ours.length, total: formatNumber(ours.length) })}
        </Button>
      ) : null}
    </>
  )
}

function StateTiles({
  results,
  state,
  onChange,
}: {
  results: readonly Result[] | undefined
  /** Null: all. */
  state: State | null
  onChange: (state: State | null) => void
}) {
  const { t } = useTranslation('domains')
  const counts = useMemo(() => {
    const all: Record<State, number> = { ours: 0, absent: 0, invalid: 0, repeated: 0 }
    for (const result of results ?? []) all[result.state] += 1
    return all
  }, [results])
  return (
    <div className="mb-12">
      <Tiles label={t('lookup.results')}>
        <Tile label={t('lookup.all')} value={results?.length} pressed={state === null} onPress={() => onChange(null)} />
        {states.map((each) => (
          <Tile
            key={each}
            label={t(`lookup.${each}`)}
            tone={tones[each]}
            value={results === undefined ? undefined : counts[each]}
            pressed={state === each}
            onPress={() => onChange(state === each ? null : each)}
          />
        ))}
      </Tiles>
    </div>
  )
}

/** `ownerOf` is given if there are several owners. */
function useLookupColumns(ownerOf: ((found: Found | null) => string) | null): readonly DataColumn<Line>[] {
  const { t } = useTranslation('domains')
  return useMemo(
    (): readonly DataColumn<Line>[] => [
      {
        id: 'given',
        title: t('columns.name'),
        width: 320,
        grow: true,
        hideable: false,
        cell: (line) => <Given {...line} />,
      },
      {
        id: 'state',
        title: t('columns.status'),
        width: 240,
        cell: (line) => <LineState {...line} />,
      },
      {
        id: 'account',
        title: t('columns.account'),
        width: 280,
        cell: ({ found }) =>
          found === null ? null : (
            <Link
              to="/domains"
              search={{ account: found.accountId }}
              className={`cut shrink ${classes['account']}`}
              title={found.accountEmail}
            >
              {found.accountEmail}
            </Link>
          ),
      },
      ...(ownerOf === null
        ? []
        : [
            {
              id: 'owner',
              title: t('columns.owner'),
              width: 200,
              cell: ({ found }: Line) => <PersonName label={ownerOf(found)} />,
            },
          ]),
    ],
    [t, ownerOf],
  )
}

/** The status at the provider of domains in the panel, and for the others why they are not in it. */
function LineState({ result: { state }, found }: Line) {
  const { t } = useTranslation('domains')
  if (state !== 'ours') return <StateBadge quiet tone={tones[state]} label={t(`lookup.state.${state}`)} />
  if (found === null) return null
  return (
    <StateBadge
      quiet
      tone={found.gone ? 'idle' : statusTone[found.status]}
      label={found.gone ? t('marks.gone') : t(`status.${found.status}`)}
    />
  )
}

function Given({ result: { given }, found }: Line) {
  return found === null ? (
    <bdi className={classes['given']} title={given}>
      {given}
    </bdi>
  ) : (
    <Link to="/domains/$id" params={{ id: found.id }} className={`primary ${classes['ours']}`} title={given} preload={false}>
      <bdi dir="ltr">{found.displayName}</bdi>
    </Link>
  )
}

function ResultCard({ line, owner }: { line: Line; owner: string }) {
  const { found } = line
  return (
    <div className="column gap-8 shrink size-13 secondary">
      <Given {...line} />
      <div className="row gap-12 shrink">
        <LineState {...line} />
        {found === null ? null : <span className={`cut shrink ${classes['account']}`}>{found.accountEmail}</span>}
      </div>
      {owner === '' ? null : <PersonName label={owner} />}
    </div>
  )
}
