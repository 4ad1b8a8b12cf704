import { formatNumber } from '#client/lib/format.ts'
import { loadLayers } from '../overlay/layer.tsx'
import { PopupButton } from '../overlay/popup-button.tsx'
import { FilterChip } from './filter-chip.tsx'
import type { FilterSelectProps, OpenedFilterProps } from './filter-select.types.ts'

const load = async () => (await loadLayers()).OpenedFilter

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
        <PopupButton<OpenedFilterProps>
          kind="listbox"
          button={<button {...chip} />}
          load={load}
          props={{ ...props, chip, onChange: (chosen) => onChange(chosen as V[]) }}
        />
      )}
    </FilterChip>
  )
}
