import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './filter.module.css'

/** The filters in one line. Those that find no room are neither seen nor reached by Tab; a button tells how many and opens all. */
export function FilterStrip({ children, onMore }: { children: ReactNode; onMore: () => void }) {
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
      setBeyond((before) => (before.count === next.count && before.active === next.active ? before : next))
    }
    const sizes = new ResizeObserver(measure)
    const observe = (): void => {
      sizes.disconnect()
      for (const each of [element, ...element.children]) sizes.observe(each)
    }
    // A filter is another element once it was opened, and the first time it has a choice.
    const kinds = new MutationObserver(observe)
    kinds.observe(element, { childList: true })
    observe()
    measure()
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
