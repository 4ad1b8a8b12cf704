import type { ComponentProps, ReactNode } from 'react'
import { formatNumber } from '#client/lib/format.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { loadLayers } from '../overlay/layer.tsx'
import { PopupButton } from '../overlay/popup-button.tsx'
import { FilterChip } from './filter-chip.tsx'

export interface FilterOption<V extends string = string> {
  value: V
  label: string
  icon?: ReactNode
  /** Shown in place of the label, which is then for searching and screen readers. */
  content?: ReactNode
  /** The number of matching rows. */
  count?: number | undefined
}

interface FilterSelectProps<V extends string = string> {
  label: string
  options: readonly FilterOption<V>[]
  values: readonly V[]
  onChange: (values: V[]) => void
  multiple?: boolean
  /** The caller filters the options (on the server); without it they are filtered here. */
  onSearch?: (text: string) => void
  loading?: boolean
}

/** What the dropdown gets in addition: the props of its button. */
export type OpenedFilterProps = FilterSelectProps & { chip: ComponentProps<'button'> }
const OpenedFilter = lazyPart<OpenedFilterProps>(async () => (await loadLayers()).OpenedFilter)

/** One filter of a list: a chip that shows its value and opens to change it. Empty `values` mean ‘all’. With `multiple` several can be selected. */
export function FilterSelect<V extends string>(props: FilterSelectProps<V>) {
  const { label, options, values, onChange } = props
  const [first] = values
  const one = options.find((option) => option.value === first)
  const many = values.length > 1
  return (
    <FilterChip
      label={label}
      choice={many ? formatNumber(values.length) : (one?.label ?? first ?? null)}
      content={many ? undefined : one?.content}
      onClear={() => onChange([])}
    >
      {(chip) => (
        <PopupButton kind="listbox" button={<button {...chip} />}>
          <OpenedFilter {...props} chip={chip} onChange={(chosen) => onChange(chosen as V[])} />
        </PopupButton>
      )}
    </FilterChip>
  )
}
