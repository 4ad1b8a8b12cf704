import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Domain } from '#shared/features/domains/schema.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import classes from './groups.module.css'

const aheadPx = 400

export const useFoundDomains = (filter: NonNullable<Inputs['domains']['list']>['filter']) =>
  trpc.domains.list.useInfiniteQuery({ filter, limit: 100 }, { getNextPageParam: (page) => page.nextCursor ?? undefined })

/** Domains with checkboxes, or read-only without `onPick`; more load on scrolling. */
export function PickList({
  label,
  list,
  selected,
  onPick,
  isFixed,
  lock,
  note,
  empty,
  failure,
}: {
  label: string
  list: ReturnType<typeof useFoundDomains>
  selected: ReadonlySet<string>
  onPick?: (id: string, value: boolean) => void
  /** Checked and locked: it is already in the target. */
  isFixed?: (domain: Domain) => boolean
  /** Why it is disabled; null: it is not. */
  lock?: (domain: Domain) => string | null
  /** The content at the end of a row. */
  note: (domain: Domain) => ReactNode
  empty: ReactNode
  /** What failed to load; defaults to ‘data’. */
  failure?: string
}) {
  const { t } = useTranslation('common')
  const domains = list.data?.pages.flatMap((page) => page.domains)
  if (list.isError && domains === undefined)
    return <ErrorState {...(failure !== undefined && { title: failure })} error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div
      role="group"
      aria-label={label}
      aria-busy={list.isPending || undefined}
      className={`column framed scroll ${classes['picks']}`}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        if (scrollHeight - scrollTop - clientHeight < aheadPx && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
      }}
    >
      {domains === undefined
        ? Array.from({ length: 10 }, (_, index) => (
            <span key={index} className={`row gap-10 fixed size-13 pointer hover divided ${classes['pick']}`}>
              <Skeleton width={`${40 + ((index * 13) % 40)}%`} />
            </span>
          ))
        : domains.map((domain) => {
            const fixed = isFixed?.(domain) === true
            const locked = fixed ? null : (lock?.(domain) ?? null)
            const words = (
              <>
                <bdi className={`cut grow ${classes['pickName']} mono`} dir="ltr" title={domain.displayName}>
                  {domain.displayName}
                </bdi>
                <span className={`row gap-6 shrink clip size-12 muted nowrap ${classes['pickNote']}`}>{note(domain)}</span>
              </>
            )
            return onPick === undefined ? (
              <div key={domain.id} className={`row gap-10 fixed size-13 pointer hover divided ${classes['pick']}`}>
                {words}
              </div>
            ) : (
              <label
                key={domain.id}
                className={`row gap-10 fixed size-13 pointer hover divided ${classes['pick']}`}
                data-fixed={fixed || locked !== null || undefined}
                title={locked ?? undefined}
              >
                <Checkbox
                  aria-label={t('table.select_row', { row: domain.displayName })}
                  checked={fixed || selected.has(domain.id)}
                  disabled={fixed || locked !== null}
                  onChange={(event) => onPick(domain.id, event.currentTarget.checked)}
                />
                {words}
              </label>
            )
          })}
      {domains?.length === 0 ? <div className={classes['picksEmpty']}>{empty}</div> : null}
    </div>
  )
}

/** A set of selected ids, and functions to select and deselect one. */
export const selectedAfter = (before: ReadonlySet<string>, id: string, value: boolean): ReadonlySet<string> => {
  const after = new Set(before)
  if (value) after.add(id)
  else after.delete(id)
  return after
}
