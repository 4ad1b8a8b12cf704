import 'dayjs/locale/ru'
import '@mantine/dates/styles.layer.css'
import { Popover } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localeOf } from '#shared/i18n/languages.ts'
import { formatDate } from '#client/lib/format.ts'
import { language } from '#client/lib/i18n.ts'
import { dayOf } from './days.ts'
import filter from '#client/ui/filter.module.css'

interface Range {
  from: string | undefined
  to: string | undefined
}

/** Noon is on the same day everywhere. */
const shown = (day: string): string => formatDate(`${day}T12:00`)

/** From one day to another, both included; one click alone is everything since that day. */
export function DateRangeFilter({ from, to, onChange }: Range & { onChange: (range: Range) => void }) {
  const { t } = useTranslation('activity')
  const [opened, setOpened] = useState(false)
  const active = from !== undefined || to !== undefined
  const label = t('filters.dates')
  const chosen =
    from === to && from !== undefined
      ? shown(from)
      : `${from === undefined ? '' : shown(from)} – ${to === undefined ? '' : shown(to)}`.trim()
  const words = active ? `${label}: ${chosen}` : label
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus withinPortal>
      <div className={filter['filter']} data-active={active || undefined}>
        <Popover.Target>
          <button
            type="button"
            className={filter['chip']}
            aria-label={words}
            aria-haspopup="dialog"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <span className={filter['words']}>
              <span className={filter['name']}>{label}</span>
              {active ? <span className={filter['choice']}>{chosen}</span> : null}
            </span>
            {active ? null : <IconChevronDown size={13} stroke={1.8} />}
          </button>
        </Popover.Target>
        {active ? (
          <button
            type="button"
            className={filter['clear']}
            aria-label={t('filters.clear')}
            onClick={() => onChange({ from: undefined, to: undefined })}
          >
            <IconX size={13} stroke={2} />
          </button>
        ) : null}
      </div>
      <Popover.Dropdown>
        <DatePicker
          type="range"
          allowSingleDateInRange
          size="sm"
          locale={language()}
          firstDayOfWeek={localeOf[language()].firstDayOfWeek}
          maxDate={dayOf(0)}
          defaultDate={from ?? to ?? dayOf(0)}
          value={[from ?? null, to ?? null]}
          onChange={([first, last]) => {
            onChange({ from: first ?? undefined, to: last ?? undefined })
            if (last !== null) setOpened(false)
          }}
          ariaLabels={{ previousMonth: t('filters.previous'), nextMonth: t('filters.next') }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
