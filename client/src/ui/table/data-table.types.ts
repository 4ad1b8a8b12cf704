import type { ReactNode } from 'react'

export interface DataColumn<Row> {
  id: string
  /** Translated. */
  title: string
  /** Pixels where there is no room for all that its cells hold, and while they load; the person may size it. */
  width: number
  /** Never less, whatever its cells hold: for those that draw a bar. */
  minWidth?: number
  /** Takes its share of the room that is left over. */
  grow?: boolean
  align?: 'start' | 'end'
  /** Key the server sorts by; absent: not sortable. */
  sortKey?: string
  /** False: always shown (the name). */
  hideable?: boolean
  hiddenAtFirst?: boolean
  /** Stays in view, with all before it, when the table is scrolled sideways; by default the first that cannot be hidden does. */
  pinned?: boolean
  cell: (row: Row, index: number) => ReactNode
}

export interface Sort {
  key: string
  direction: 'asc' | 'desc'
}

/** What a table needs of a selection; where it is kept is the feature's business. */
export interface TableSelection<Row> {
  isSelected: (row: Row) => boolean
  /** State of the box in the header. */
  all: 'none' | 'some' | 'all'
  /** The header's box: everything that matches, or nothing. */
  onToggleAll: (selected: boolean) => void
  /** One row, by click, `x` or dragging. */
  onToggle: (row: Row, selected: boolean) => void
  /** A run of rows by index, both ends included, by Shift; rows in it may not be loaded yet. */
  onRange: (from: number, to: number, selected: boolean) => void
}

/** `instead`: drawn in place of the cells, and kept in the page when scrolled away, so an editor loses nothing; `below`: under them. */
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
  /** Words that name a row: the label of its checkbox. */
  getRowLabel: (row: Row) => string
  /** Indexes on screen (with some beyond), so the caller can load them. */
  onRangeVisible?: (from: number, to: number) => void
  columns: readonly DataColumn<Row>[]
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  selection?: TableSelection<Row>
  /** Click or Enter on a row; `columnId` is the column that was clicked. */
  onOpen?: (row: Row, columnId: string | null) => void
  /** What opens a row with the mouse; a click if absent. A single click then only brings the keyboard's mark there. */
  openOn?: 'click' | 'double-click'
  /** Keys that act on the row the keyboard is at, named as in `useShortcuts`. */
  rowKeys?: Readonly<Record<string, (row: Row) => void>>
  /** Rows that are not a plain line of cells, by id. They are as tall as what they hold. */
  special?: ReadonlyMap<string, SpecialRow>
  /** Address of a row: a middle click or Ctrl+click opens it in a new tab. */
  getRowHref?: (row: Row) => string
  /** Buttons that appear at the row's end on hover and on focus. */
  rowActions?: (row: Row) => ReactNode
  /** On phones rows are cards of this height, scrolling with the page. */
  renderCard: (row: Row) => ReactNode
  cardHeight: number | ((row: Row | undefined) => number)
  /** First load: skeleton rows instead of `empty`. */
  loading?: boolean
  /** Old rows stay, dimmed, while new ones are on the way. */
  refreshing?: boolean
  empty: ReactNode
  /** When it changes, the list is another one: it starts at its top again. */
  scrollKey?: string
  /** Room below the last row, e.g. for a bulk bar. */
  bottomSpace?: number
  /** Column layout, kept by the caller so that a menu elsewhere can change it. */
  layout: ColumnLayout
}

export interface ColumnLayout {
  hidden: ReadonlySet<string>
  /** Sized columns only, in pixels. */
  widths: Readonly<Record<string, number>>
  toggle: (id: string) => void
  /** Null: as wide as its content needs again. */
  resize: (id: string, width: number | null) => void
  /** Rows of 44 px instead of 36. */
  comfortable: boolean
  toggleComfortable: () => void
  reset: () => void
}
