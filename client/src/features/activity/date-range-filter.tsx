import { useTranslation } from 'react-i18next'
import { formatDate } from '#client/lib/format.ts'
import { FilterChip } from '#client/ui/filter/filter-chip.tsx'
import { PopupButton } from '#client/ui/overlay/popup-button.tsx'
import type { Range } from './range-calendar.tsx'

const load = async () => (await import('./range-calendar.tsx')).RangeCalendar

/** Noon is on the same day in every time zone. */
const shown = (day: string): string => formatDate(`${day}T12:00`)

/** A range of days, both inclusive; a single click selects everything since that day. */
export function DateRangeFilter({ from, to, onChange }: Range & { onChange: (range: Range) => void }) {
  const { t } = useTranslation('activity')
  const selected =
    from === undefined && to === undefined
      ? null
      : from === to && from !== undefined
        ? shown(from)
        : `${from === undefined ? '' : shown(from)} – ${to === undefined ? '' : shown(to)}`.trim()
  return (
    <FilterChip label={t('filters.dates')} choice={selected} onClear={() => onChange({ from: undefined, to: undefined })}>
      {(chip) => <PopupButton kind="dialog" button={<button {...chip} />} load={load} props={{ chip, from, to, onChange }} />}
    </FilterChip>
  )
}
