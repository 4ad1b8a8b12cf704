import { Popover, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { FilterChip } from './filter-chip.tsx'

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

  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={260} trapFocus returnFocus>
      <FilterChip label={label} choice={value === '' ? null : value} onClear={() => onChange('')}>
        {(chip) => (
          <Popover.Target>
            <button {...chip} onClick={() => setOpen((before) => !before)} />
          </Popover.Target>
        )}
      </FilterChip>
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
