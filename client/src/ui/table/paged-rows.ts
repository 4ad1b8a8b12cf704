interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isPending: boolean
  fetchNextPage: () => unknown
}

/** What a table asks of a list that is read page by page: one row more while there are more, and they are read when it comes into sight. */
export const pagedRows = <Row>(list: Pages, rows: readonly Row[]) => ({
  rowCount: rows.length + Number(list.hasNextPage),
  getRow: (index: number): Row | undefined => rows[index],
  onRangeVisible: (_from: number, until: number): void => {
    if (until >= rows.length && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  },
  loading: list.isPending,
})
