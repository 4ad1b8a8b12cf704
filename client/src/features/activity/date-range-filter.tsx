import { Popover } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '#client/lib/format.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { FilterChip } from '#client/ui/filter/filter-chip.tsx'
import { Layer } from '#client/ui/overlay/layer.tsx'
import { dayOf } from './days.ts'
import type { DraftRange } from './range-calendar.tsx'

const RangeCalendar = lazyPart(async () => (await import('./range-calendar.tsx')).RangeCalendar)

interface Range {
  from: string | undefined
  to: string | undefined
}

/** Noon is on the same day in every time zone. */
const shown = (day: string): string => formatDate(`${day}T12:00`)

/** A range of days, both inclusive; a single click selects everything since that day. */
export function DateRangeFilter({ from, to, onChange }: Range & { onChange: (range: Range) => void }) {
  const { t } = useTranslation('activity')
  // The range being picked; null while closed. Only a first day is an incomplete range, not everything since then.
  const [draftRange, setDraftRange] = useState<DraftRange | null>(null)
  const opened = draftRange !== null
  // The focus returns only from a dropdown that was there before it opened.
  const [there, setThere] = useState(false)
  const selected =
    from === undefined && to === undefined
      ? null
      : from === to && from !== undefined
        ? shown(from)
        : `${from === undefined ? '' : shown(from)} – ${to === undefined ? '' : shown(to)}`.trim()
  const open = (): void => setDraftRange(from === undefined ? [null, null] : [from, to ?? dayOf(0)])
  const close = (): void => {
    setDraftRange(null)
    const [first, last] = draftRange ?? [null, null]
    if (first !== null && last === null) onChange({ from: first, to: undefined })
  }
  return (
    <Popover
      opened={opened && there}
      onChange={(next) => (next ? open() : close())}
      position="bottom-start"
      trapFocus
      returnFocus
      withinPortal
    >
      <FilterChip label={t('filters.dates')} choice={selected} onClear={() => onChange({ from: undefined, to: undefined })}>
        {(chip) => (
          <Popover.Target>
            <button {...chip} aria-haspopup="dialog" aria-expanded={opened} onClick={() => (opened ? close() : open())} />
          </Popover.Target>
        )}
      </FilterChip>
      <Layer opened={opened} onClose={() => setDraftRange(null)}>
        <RangeCalendar
          onThere={setThere}
          draft={draftRange}
          shown={from ?? to}
          onChange={([first, last]) => {
            setDraftRange([first, last])
            if (first === null || last === null) return
            setDraftRange(null)
            onChange({ from: first, to: last })
          }}
        />
      </Layer>
    </Popover>
  )
}
