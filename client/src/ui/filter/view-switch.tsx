import { SegmentedControl } from '@mantine/core'
import { type Icon, IconLayoutGrid, IconList } from '@tabler/icons-react'

const icons: Readonly<Record<'list' | 'cards', Icon>> = { list: IconList, cards: IconLayoutGrid }

/** Rows or cards. */
export function ViewSwitch({
  label,
  value,
  words,
  onChange,
}: {
  label: string
  value: 'list' | 'cards'
  /** In display order. */
  words: Partial<Record<'list' | 'cards', string>>
  onChange: (view: 'list' | 'cards') => void
}) {
  const views = (Object.keys(words) as ('list' | 'cards')[]).map((view) => ({ view, symbol: icons[view] }))
  return (
    <SegmentedControl
      aria-label={label}
      value={value}
      onChange={(next) => onChange(next === 'list' ? 'list' : 'cards')}
      data={views.map(({ view, symbol: Symbol }) => ({
        value: view,
        label: (
          <span className="row center" style={{ height: 18 }} title={words[view]}>
            <Symbol size={15} stroke={1.7} aria-hidden />
            <span className="sr-only">{words[view]}</span>
          </span>
        ),
      }))}
    />
  )
}
