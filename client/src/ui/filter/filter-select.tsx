import { Combobox, useCombobox } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { FilterChip } from './filter-chip.tsx'
import classes from './filter.module.css'

export interface FilterOption<V extends string = string> {
  value: V
  label: string
  icon?: ReactNode
  /** Shown in place of the label, which is then for searching and screen readers. */
  content?: ReactNode
  /** The number of matching rows. */
  count?: number | undefined
}

const searchAbove = 8

interface FilterSelectProps<V extends string> {
  label: string
  options: readonly FilterOption<V>[]
  values: readonly V[]
  onChange: (values: V[]) => void
  multiple?: boolean
  /** The caller filters the options (on the server); without it they are filtered here. */
  onSearch?: (text: string) => void
  loading?: boolean
}

/**
 * One filter of a list: a chip that shows its value and opens to change it. Empty `values` mean ‘all’. With `multiple` several can be selected. A
 * list page has ten of them, so the dropdown is created when it is first opened.
 */
export function FilterSelect<V extends string>(props: FilterSelectProps<V>) {
  const [opened, setOpened] = useState(false)
  if (opened) return <OpenedFilter {...props} />
  return (
    <Chip {...props}>{(chip) => <button {...chip} aria-haspopup="listbox" aria-expanded={false} onClick={() => setOpened(true)} />}</Chip>
  )
}

function Chip<V extends string>({
  label,
  options,
  values,
  onChange,
  children,
}: FilterSelectProps<V> & Pick<ComponentProps<typeof FilterChip>, 'children'>) {
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
      {children}
    </FilterChip>
  )
}

function OpenedFilter<V extends string>(props: FilterSelectProps<V>) {
  const { label, options, values, onChange, multiple = false, onSearch, loading = false } = props
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const searchable = onSearch !== undefined || options.length > searchAbove
  const [opened, setOpened] = useState(false)
  const combobox = useCombobox({
    opened,
    onOpenedChange: setOpened,
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
      onSearch?.('')
    },
  })
  const shown = onSearch ? options : options.filter((option) => option.label.toLowerCase().includes(search.trim().toLowerCase()))
  // Only when the button exists and has the focus, so that the focus returns to it.
  useEffect(() => setOpened(true), [])
  const { focusSearchInput, updateSelectedOptionIndex } = combobox
  useEffect(() => {
    if (!opened) return
    if (searchable) focusSearchInput()
    updateSelectedOptionIndex('active')
  }, [opened, searchable, focusSearchInput, updateSelectedOptionIndex])

  const choose = (value: V): void => {
    const on = values.includes(value)
    if (multiple) {
      onChange(on ? values.filter((each) => each !== value) : [...values, value])
    } else {
      onChange(on ? [] : [value])
      combobox.closeDropdown()
    }
  }

  return (
    <Combobox store={combobox} width={260} position="bottom-start" withinPortal returnFocus onOptionSubmit={(value) => choose(value as V)}>
      <Chip {...props}>
        {(chip) => (
          <Combobox.Target targetType="button">
            <OpenableChip {...chip} onClick={() => combobox.toggleDropdown()} />
          </Combobox.Target>
        )}
      </Chip>
      <Combobox.Dropdown>
        {searchable ? (
          <Combobox.Search
            value={search}
            placeholder={t('filters.find')}
            aria-label={t('filters.find')}
            className={classes['find'] ?? ''}
            onChange={(event) => {
              setSearch(event.currentTarget.value)
              onSearch?.(event.currentTarget.value)
              combobox.updateSelectedOptionIndex()
            }}
          />
        ) : null}
        <Combobox.Options className={classes['options'] ?? ''} aria-label={label} aria-busy={loading} aria-multiselectable={multiple}>
          {shown.map((option) => {
            const on = values.includes(option.value)
            return (
              <Combobox.Option key={option.value} value={option.value} active={on} aria-selected={on}>
                <span className="row gap-6 shrink">
                  {option.icon}
                  <span className="cut grow">{option.content ?? option.label}</span>
                  {option.count === undefined ? null : <span className="size-12 muted">{formatNumber(option.count)}</span>}
                  <span className={classes['check']}>{on ? <IconCheck size={14} stroke={2.2} /> : null}</span>
                </span>
              </Combobox.Option>
            )
          })}
          {shown.length === 0 ? <Combobox.Empty>{t(loading ? 'loader.loading' : 'filters.none')}</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Marks it as expanded, which the library does only for inputs. */
function OpenableChip(props: ComponentProps<'button'> & { 'data-expanded'?: boolean }) {
  return <button {...props} autoFocus aria-expanded={props['data-expanded'] ?? false} />
}
