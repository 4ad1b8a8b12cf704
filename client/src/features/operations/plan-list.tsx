import { useVirtualizer } from '@tanstack/react-virtual'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { ScrollRegion } from '#client/ui/layout/scroll-region.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { ChangeLine } from './change-line.tsx'
import { changesOf } from './item-changes.ts'
import { itemTexts } from './item-texts.ts'
import { useChangeWords } from './use-change-words.ts'
import { useItems, type Item } from './queries.ts'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

const shownAtMost = 8
const rowHeight = 54

/** The planned changes, domain by domain. */
export function PlanList({
  operation,
  danger = null,
  onAll,
}: {
  operation: Operation
  /** Only those with this warning. */
  danger?: string | null
  onAll?: () => void
}) {
  const { t } = useTranslation(['operations', 'common'])
  const words = useOperationWords()
  const texts = itemTexts(operation)
  const [search, setSearch] = useState('')
  const { items, loading, changing, onRange } = useItems(operation.id, { search, ...(danger !== null && { danger }) })
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => items[index]?.position ?? index,
    overscan: 8,
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => onRange(0, last), [onRange, last])
  return (
    <div className="column gap-8">
      <div className="row wrap gap-8">
        <SearchInput label={t(texts.search)} value={search} busy={changing} onChange={setSearch} />
        {danger === null ? null : (
          <Button
            variant="light"
            size="compact-sm"
            rightSection={<IconX size={13} aria-hidden />}
            title={t('preview.show_all')}
            onClick={onAll}
          >
            {t('preview.only_warned', { warning: words.danger(danger).title })}
          </Button>
        )}
      </div>
      <ScrollRegion
        ref={scroller}
        className={`scroll-y border radius-8 ${classes['planRows']}`}
        label={t(texts.plan)}
        busy={loading || changing}
      >
        {loading ? <Skeleton width={220} height={16} /> : null}
        {!loading && items.length === 0 ? <p className={`size-12 muted ${classes['quiet']}`}>{t('common:filters.none')}</p> : null}
        <div role="list" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {rows.map((row) => {
            const item = items[row.index]
            return item === undefined ? null : (
              <div
                key={row.key}
                ref={virtual.measureElement}
                data-index={row.index}
                role="listitem"
                className={`grid full size-13 line-bottom gap-4-16 p-8-12 ${classes['planRow']}`}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <PlanRow item={item} kind={operation.kind} />
              </div>
            )
          })}
        </div>
      </ScrollRegion>
    </div>
  )
}

function PlanRow({ item, kind }: { item: Item; kind: string }) {
  const { t } = useTranslation(['operations', 'common'])
  const words = useOperationWords()
  const changeWords = useChangeWords(kind)
  const [whole, setWhole] = useState(false)
  // For a skipped domain only the reason.
  const changes = changesOf(item.plan).filter(({ kind: what }) => item.state !== 'skipped' || what === 'unready' || what === 'full_phase')
  return (
    <>
      <div className="column shrink anywhere">
        <bdi className="mono">{item.displayName}</bdi>
        {item.account === null ? null : (
          <span className={`size-12 muted ${classes['quiet']}`}>
            {item.plan.reason === undefined ? item.account : `${item.account} · ${t(`reasons.${item.plan.reason}`)}`}
          </span>
        )}
      </div>
      <div className="column gap-2 shrink">
        {item.code === null ? null : (
          <span className={`size-12 muted ${classes['quiet']}`}>{`${t('items.skipped')}. ${words.code(item.code)}`}</span>
        )}
        {(whole ? changes : changes.slice(0, shownAtMost)).map((change, index) => (
          <ChangeLine key={index} words={changeWords(change, item)} />
        ))}
        {!whole && changes.length > shownAtMost ? (
          <button type="button" className={`bare self-start size-12 secondary pointer ${classes['more']}`} onClick={() => setWhole(true)}>
            {t('common:and_more', { formatted: formatNumber(changes.length - shownAtMost) })}
          </button>
        ) : null}
        {item.plan.dangers.map((danger) => (
          <span key={danger} className="inline gap-6 size-12 warn">
            <IconAlertTriangle size={13} stroke={1.8} aria-hidden />
            {words.danger(danger).title}
          </span>
        ))}
      </div>
    </>
  )
}
