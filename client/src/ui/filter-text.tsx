import { Popover, TextInput } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './filter.module.css'

const waitMs = 200

/** A filter by a part of a text: a chip like the other filters', that opens to a field. What is typed is told after a short pause. */
export function FilterText({
  label,
  value,
  onChange,
  placeholder,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
}) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(value)
  const [told, setTold] = useState(value)
  if (value !== told) {
    setTold(value)
    setTyped(value)
  }
  useEffect(() => {
    const next = typed.trim()
    if (next === told) return
    const timer = setTimeout(() => {
      setTold(next)
      onChange(next)
    }, waitMs)
    return () => clearTimeout(timer)
  }, [typed, told, onChange])

  const active = value !== ''
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={260} trapFocus returnFocus>
      <div className={classes['filter']} data-active={active || undefined}>
        <Popover.Target>
          <button
            type="button"
            className={classes['chip']}
            aria-label={active ? `${label}: ${value}` : label}
            onClick={() => setOpen((before) => !before)}
          >
            <span className={classes['words']}>
              <span className={classes['name']}>{label}</span>
              {active ? <span className={classes['choice']}>{value}</span> : null}
            </span>
            {active ? null : <IconChevronDown size={13} stroke={1.8} />}
          </button>
        </Popover.Target>
        {active ? (
          <button
            type="button"
            className={classes['clear']}
            aria-label={t('filters.clear_one', { filter: label })}
            onClick={() => onChange('')}
          >
            <IconX size={13} stroke={2} />
          </button>
        ) : null}
      </div>
      <Popover.Dropdown p={8}>
        <TextInput
          data-autofocus
          aria-label={label}
          placeholder={placeholder}
          value={typed}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
