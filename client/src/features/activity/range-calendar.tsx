import { Popover } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useEffect } from 'react'
import { useCalendar } from '#client/ui/form/date-field.tsx'
import { dayOf } from './days.ts'

export type DraftRange = [from: string | null, to: string | null]

/** The dropdown in which a range is picked. */
export function RangeCalendar({
  onThere,
  draft,
  shown,
  onChange,
}: {
  onThere: (there: boolean) => void
  draft: DraftRange | null
  /** A day of the month that is shown first. */
  shown: string | undefined
  onChange: (draft: DraftRange) => void
}) {
  useEffect(() => {
    onThere(true)
    return () => onThere(false)
  }, [onThere])
  return (
    <Popover.Dropdown>
      <DatePicker
        {...useCalendar()}
        type="range"
        allowSingleDateInRange
        size="sm"
        maxDate={dayOf(0)}
        defaultDate={shown ?? dayOf(0)}
        value={draft ?? [null, null]}
        onChange={onChange}
      />
    </Popover.Dropdown>
  )
}
