import { ActionIcon, Button } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconFilterOff, IconX } from '@tabler/icons-react'
import { useState, useLayoutEffect, useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { LateDrawer, Layer } from '../overlay/layer.tsx'
import { useLayer } from '../overlay/use-layer.ts'
import { usePhone } from '../layout/use-media.ts'
import classes from './filter.module.css'

/** Search, filters and view controls of a list in one line. All filters are in a sheet as well, which is the only place on a phone. */
export function FilterBar({
  search,
  children,
  active,
  onReset,
  tools,
}: {
  search: ReactNode
  /** The filters. */
  children?: ReactNode
  /** The number of active filters. */
  active: number
  onReset: () => void
  /** View mode, columns. */
  tools?: ReactNode
}) {
  const { t } = useTranslation()
  const phone = usePhone()
  const [open, setOpen] = useState(false)
  const openSheet = (): void => setOpen(true)
  const close = (): void => setOpen(false)
  const layer = useLayer({ opened: open, onClose: close })
  return (
    <div className={`flex gap-8 top ${classes['bar']}`} role="search">
      {search}
      {phone ? (
        children === undefined ? null : (
          <Button
            variant="default"
            aria-label={active === 0 ? t('filters.title') : `${t('filters.title')}: ${active}`}
            className={classes['sheetButton'] ?? ''}
            onClick={openSheet}
          >
            <IconAdjustmentsHorizontal size={16} stroke={1.7} />
            {active === 0 ? null : <span className={`size-11 line-18 ${classes['badge']}`}>{active}</span>}
          </Button>
        )
      ) : (
        <>
          <FilterStrip onMore={openSheet}>{children}</FilterStrip>
          <div className={`row gap-6 ${classes['tools']}`}>
            {children === undefined ? null : (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                // It keeps its space, so that the row does not move.
                style={active === 0 ? { visibility: 'hidden' } : undefined}
                aria-label={t('filters.reset')}
                title={t('filters.reset')}
                onClick={onReset}
              >
                <IconFilterOff size={15} stroke={1.7} aria-hidden />
              </ActionIcon>
            )}
            {tools}
          </div>
        </>
      )}
      <Layer opened={open} onClose={close}>
        <LateDrawer
          {...layer}
          opened={open}
          onClose={close}
          returnFocus={false}
          overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)', ...layer.overlayProps }}
          title={t('filters.title')}
          {...(phone ? { position: 'bottom', classNames: { content: classes['sheetContent'] ?? '' } } : { position: 'right', size: 340 })}
        >
          <div className={`column gap-8 ${classes['sheet']}`}>
            {children}
            {phone ? <div className={`flex wrap gap-8 ${classes['sheetTools']}`}>{tools}</div> : null}
            <div className={`flex gap-8 ${classes['sheetActions']}`}>
              {active === 0 ? null : (
                <Button variant="subtle" color="gray" size="xs" leftSection={<IconX size={13} stroke={2} />} onClick={onReset}>
                  {t('filters.reset')}
                </Button>
              )}
              <Button onClick={close}>{t('filters.apply')}</Button>
            </div>
          </div>
        </LateDrawer>
      </Layer>
    </div>
  )
}

/** The filters in one line. Those that do not fit are hidden and not focusable; a button shows their number and opens all. */
function FilterStrip({ children, onMore }: { children: ReactNode; onMore: () => void }) {
  const { t } = useTranslation()
  const strip = useRef<HTMLDivElement>(null)
  const [beyond, setBeyond] = useState({ count: 0, active: false })

  useLayoutEffect(() => {
    const element = strip.current
    if (element === null) return undefined
    const measure = (): void => {
      const filters = [...element.children]
      const line = Math.min(...filters.map((each) => each.getBoundingClientRect().bottom))
      const outside = filters.filter((each) => each.getBoundingClientRect().top >= line)
      for (const each of filters) each.toggleAttribute('data-beyond', outside.includes(each))
      const next = { count: outside.length, active: outside.some((each) => each.hasAttribute('data-active')) }
      flushSync(() => setBeyond((before) => (before.count === next.count && before.active === next.active ? before : next)))
    }
    // Called before the first paint too; measuring here would lay the page out once more.
    const sizes = new ResizeObserver(measure)
    const observe = (): void => {
      sizes.disconnect()
      for (const each of [element, ...element.children]) sizes.observe(each)
    }
    // A filter is a different element after it was opened, and when it first has a value.
    const kinds = new MutationObserver(observe)
    kinds.observe(element, { childList: true })
    observe()
    return () => {
      sizes.disconnect()
      kinds.disconnect()
    }
  }, [])

  return (
    <div className={`flex gap-6 grow shrink ${classes['line']}`}>
      <div className={`row wrap gap-6 shrink clip ${classes['filters']}`} ref={strip}>
        {children}
      </div>
      {beyond.count === 0 ? null : (
        <button
          type="button"
          className={classes['more']}
          data-active={beyond.active || undefined}
          aria-haspopup="dialog"
          title={t('filters.title')}
          onClick={onMore}
        >
          {t('filters.more', { number: beyond.count })}
        </button>
      )}
    </div>
  )
}
