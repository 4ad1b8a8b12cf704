import { IconChevronDown, IconX } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './filter.module.css'

/** A filter that shows its value, with a button to clear it. `children` renders the button that opens it. */
export function FilterChip({
  label,
  choice,
  content,
  onClear,
  children,
}: {
  label: string
  /** Null: everything. */
  choice: string | null
  /** Shown in place of the value's text, which is then for screen readers. */
  content?: ReactNode
  onClear: () => void
  children: (chip: ComponentProps<'button'>) => ReactNode
}) {
  const { t } = useTranslation()
  const active = choice !== null
  return (
    <div className={`row secondary radius ${classes['filter']}`} data-active={active || undefined}>
      {children({
        type: 'button',
        className: classes['chip'],
        'aria-label': active ? `${label}: ${choice}` : label,
        children: (
          <>
            <span className="flex gap-6 shrink nowrap">
              <span className={classes['name']}>{label}</span>
              {active ? <span className={classes['choice']}>{content ?? choice}</span> : null}
            </span>
            {active ? null : <IconChevronDown size={13} stroke={1.8} />}
          </>
        ),
      })}
      {active ? (
        <button
          type="button"
          className={`row bare center fill secondary pointer hover-primary ${classes['clear']}`}
          aria-label={t('filters.clear_one', { filter: label })}
          onClick={onClear}
        >
          <IconX size={13} stroke={2} />
        </button>
      ) : null}
    </div>
  )
}
