import type { ReactNode } from 'react'
import { formatNumber } from '#client/lib/format.ts'
import { BulkBar, bulkBarSpace } from '../table/bulk-bar.tsx'
import { CardGrid } from '../table/card-grid.tsx'
import { DataTable } from '../table/data-table.tsx'
import type { DataTableProps } from '../table/data-table.types.ts'
import { NoMatch } from '../feedback/empty-state.tsx'
import { ErrorState } from '../feedback/error-state.tsx'
import { FilterBar } from '../filter/filter-bar.tsx'
import { PageHeader } from './page-header.tsx'
import { SearchInput } from '../filter/search-input.tsx'

type TableProps<Row> = Pick<
  DataTableProps<Row>,
  'getRowId' | 'getRowLabel' | 'getRowHref' | 'columns' | 'layout' | 'sort' | 'onSort' | 'selection' | 'onOpen' | 'rowActions'
>

interface EntityListPageProps<Row> {
  title: string
  /** The total; undefined while unknown. */
  count: number | undefined
  actions?: ReactNode
  /** Tabs and notices below the title. */
  above?: ReactNode
  /** The loaded items. */
  list: {
    readonly isError: boolean
    readonly error: unknown
    readonly data: unknown
    readonly isPending: boolean
    readonly isPlaceholderData: boolean
    readonly refetch: () => Promise<unknown>
  }
  /** The title of the error if they fail to load. */
  failed: string
  /** Shown in place of the list if there are no items; null: there are some. */
  untouched?: ReactNode
  rows: readonly Row[]
  onRangeVisible?: (from: number, to: number) => void
  /** Absent: a list too short to be searched. */
  filter?: {
    readonly label: string
    readonly text: string
    readonly onText: (text: string) => void
    readonly filters?: ReactNode
    /** The number of active filters. */
    readonly active: number
    readonly onReset: () => void
    readonly tools?: ReactNode
  }
  /** Shown if nothing matches, with a reset of the filters. */
  noMatch?: { readonly title?: string; readonly text?: string; readonly onReset: () => void }
  /** Absent: cards, side by side. */
  table?: TableProps<Row> | undefined
  card: (row: Row) => ReactNode
  cardHeight: DataTableProps<Row>['cardHeight']
  /** As many side by side as fit. */
  cardWidth?: number
  /** When it changes, the list is a different one and scrolls to its top. */
  scrollKey?: string
  bulk?: {
    readonly count: number
    readonly label: string
    readonly note?: string | null
    readonly onClear: () => void
    readonly actions: ReactNode
  }
  /** Dialogs. */
  children?: ReactNode
}

/** A page about all objects of one kind: title, filters, the list as a table or as cards, bulk actions, dialogs. */
export function EntityListPage<Row>(props: EntityListPageProps<Row>) {
  const { title, count, actions, above, list, failed, untouched = null, bulk, children } = props
  const isUntouched = untouched !== null
  return (
    <>
      <PageHeader
        title={title}
        meta={count === undefined || isUntouched ? undefined : formatNumber(count)}
        actions={isUntouched ? undefined : actions}
      />
      {above}
      {list.isError && list.data === undefined ? (
        <ErrorState title={failed} error={list.error} onRetry={() => void list.refetch()} />
      ) : isUntouched ? (
        untouched
      ) : (
        <Listed {...props} />
      )}
      {bulk === undefined ? null : (
        <BulkBar count={bulk.count} label={bulk.label} note={bulk.note ?? null} onClear={bulk.onClear}>
          {bulk.actions}
        </BulkBar>
      )}
      {children}
    </>
  )
}

function Listed<Row>(props: EntityListPageProps<Row>) {
  const { title, list, rows, onRangeVisible, filter, noMatch, table, card, cardHeight, cardWidth, scrollKey, bulk } = props
  const listed = {
    label: title,
    rowCount: rows.length,
    getRow: (index: number) => rows[index],
    ...(onRangeVisible && { onRangeVisible }),
    renderCard: card,
    cardHeight,
    loading: list.isPending,
    refreshing: list.isPlaceholderData,
    ...(scrollKey !== undefined && { scrollKey }),
    bottomSpace: bulk !== undefined && bulk.count > 0 ? bulkBarSpace : 0,
    empty: noMatch === undefined ? null : <NoMatch {...noMatch} />,
  }
  return (
    <>
      {filter === undefined ? null : (
        <FilterBar
          search={<SearchInput label={filter.label} value={filter.text} busy={list.isPlaceholderData} onChange={filter.onText} />}
          active={filter.active}
          onReset={filter.onReset}
          tools={filter.tools}
        >
          {filter.filters}
        </FilterBar>
      )}
      {table === undefined ? (
        <CardGrid
          {...listed}
          cardHeight={typeof cardHeight === 'number' ? cardHeight : cardHeight(undefined)}
          {...(cardWidth !== undefined && { minWidth: cardWidth })}
        />
      ) : (
        <DataTable {...listed} {...table} />
      )}
    </>
  )
}
