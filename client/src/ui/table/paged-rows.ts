interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isPending: boolean
  fetchNextPage: () => unknown
}

/** The props of a table for a paginated list: one extra row while there are more, which loads the next page when it becomes visible. */
export const pagedRows = <Row>(list: Pages, rows: readonly Row[]) => ({
  rowCount: rows.length + Number(list.hasNextPage),
  getRow: (index: number): Row | undefined => rows[index],
  onRangeVisible: (_from: number, until: number): void => {
    if (until >= rows.length && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  },
  loading: list.isPending,
})
