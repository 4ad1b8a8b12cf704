import { Popover } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { type ComponentProps, useState } from 'react'
import { useCalendar } from '#client/ui/form/date-field.tsx'
import { useOpened } from '#client/ui/overlay/opened-popups.tsx'
import { dayOf } from './days.ts'

export interface Range {
  from: string | undefined
  to: string | undefined
}

type DraftRange = [from: string | null, to: string | null]

/** The button of a range of days, and the calendar in which it is picked. */
export function RangeCalendar({ chip, from, to, onChange }: Range & { chip: ComponentProps<'button'>; onChange: (range: Range) => void }) {
  const [opened, setOpened] = useOpened()
  /** What was picked since it opened. Only a first day is an incomplete range, not everything since then. */
  const [picked, setPicked] = useState<DraftRange | null>(null)
  const close = (): void => {
    setOpened(false)
    setPicked(null)
    const [first, last] = picked ?? [null, null]
    if (first !== null && last === null) onChange({ from: first, to: undefined })
  }
  return (
    <Popover
      opened={opened}
      onChange={(next) => (next ? setOpened(true) : close())}
      position="bottom-start"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <button {...chip} autoFocus onClick={() => (opened ? close() : setOpened(true))} />
      </Popover.Target>
      <Popover.Dropdown>
        <DatePicker
          {...useCalendar()}
          type="range"
          allowSingleDateInRange
          size="sm"
          maxDate={dayOf(0)}
          defaultDate={from ?? to ?? dayOf(0)}
          value={picked ?? (from === undefined ? [null, null] : [from, to ?? dayOf(0)])}
          onChange={([first, last]) => {
            setPicked([first, last])
            if (first === null || last === null) return
            setOpened(false)
            setPicked(null)
            onChange({ from: first, to: last })
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
