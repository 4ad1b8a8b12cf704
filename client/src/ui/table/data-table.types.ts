import type { ReactNode } from 'react'

export interface DataColumn<Row> {
  id: string
  /** Translated. */
  title: string
  /** What a title does not say, as its tooltip. */
  hint?: string
  /** In pixels, when there is no room for all content, and while loading; resizable by the user. */
  width: number
  /** The minimum regardless of content, for columns that draw a bar. */
  minWidth?: number
  /** Takes a share of the remaining space. */
  grow?: boolean
  align?: 'start' | 'end'
  /** The sort key of the server; absent: not sortable. */
  sortKey?: string
  /** False: always shown (the name). */
  hideable?: boolean
  /** `narrow`: hidden by default where the screen has no room for all columns. */
  hiddenAtFirst?: boolean | 'narrow'
  /** Sticky on horizontal scrolling; without any such column, the first that cannot be hidden is. */
  pinned?: boolean
  cell: (row: Row, index: number) => ReactNode
}

export interface Sort {
  key: string
  direction: 'asc' | 'desc'
}

/** The selection as a table uses it; the feature stores it. */
export interface TableSelection<Row> {
  isSelected: (row: Row) => boolean
  /** The state of the checkbox in the header. */
  all: 'none' | 'some' | 'all'
  /** The checkbox in the header: everything that matches, or nothing. */
  onToggleAll: (selected: boolean) => void
  /** One row, by click, `x` or dragging. */
  onToggle: (row: Row, selected: boolean) => void
  /** A range of rows by index, both ends inclusive, by Shift; some may not be loaded. */
  onRange: (from: number, to: number, selected: boolean) => void
}

/**
 * `instead`: rendered in place of the cells, and kept mounted when scrolled away, so that an editor loses nothing; `below`: rendered under them.
 */
export interface SpecialRow {
  kind: 'instead' | 'below'
  content: ReactNode
}

export interface DataTableProps<Row> {
  /** Name of the table for screen readers. */
  label: string
  rowCount: number
  /** The row at this index, or undefined while it is not loaded. */
  getRow: (index: number) => Row | undefined
  getRowId: (row: Row) => string
  /** The name of a row: the label of its checkbox. */
  getRowLabel: (row: Row) => string
  /** The visible indexes with some margin, so that the caller can load them. */
  onRangeVisible?: (from: number, to: number) => void
  columns: readonly DataColumn<Row>[]
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  selection?: TableSelection<Row>
  /** A click or Enter on a row; `columnId` is the clicked column. */
  onOpen?: (row: Row, columnId: string | null) => void
  /** What opens a row with the mouse; defaults to a click. Otherwise a single click only moves the cursor there. */
  openOn?: 'click' | 'double-click'
  /** Shortcuts that act on the cursor row, named as in `useShortcuts`. */
  rowKeys?: Readonly<Record<string, (row: Row) => void>>
  /** Rows with other content than cells, by id. Their height fits their content. */
  special?: ReadonlyMap<string, SpecialRow>
  /** The pointer is over the row of this index. */
  onHover?: (index: number) => void
  /** The URL of a row: a middle click or Ctrl+click opens it in a new tab. */
  getRowHref?: (row: Row) => string
  /** Buttons at the end of the row, shown on hover and on focus. */
  rowActions?: (row: Row) => ReactNode
  /** On phones rows are cards of this height, scrolling with the page. */
  renderCard: (row: Row) => ReactNode
  cardHeight: number | ((row: Row | undefined) => number)
  /** The first load: skeleton rows instead of `empty`. */
  loading?: boolean
  /** Old rows stay visible, dimmed, while new ones load. */
  refreshing?: boolean
  empty: ReactNode
  /** When it changes, the list is a different one and scrolls to its top. */
  scrollKey?: string
  /** Space below the last row, e.g. for a bulk bar. */
  bottomSpace?: number
  /** The column layout, stored by the caller, so that a menu elsewhere can change it. */
  layout: ColumnLayout
}

export interface ColumnLayout {
  hidden: ReadonlySet<string>
  /** Only resized columns, in pixels. */
  widths: Readonly<Record<string, number>>
  toggle: (id: string) => void
  /** Null: fits its content again. */
  resize: (id: string, width: number | null) => void
  /** Rows of 44 px instead of 36. */
  comfortable: boolean
  toggleComfortable: () => void
  reset: () => void
}
