import { Combobox, useCombobox } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { useOpened } from '../overlay/opened-popups.tsx'
import type { OpenedFilterProps } from './filter-select.types.ts'
import classes from './filter.module.css'

const searchAbove = 8

/** The button of a filter and its dropdown. */
export function OpenedFilter({ chip, label, options, values, onChange, multiple = false, onSearch, loading = false }: OpenedFilterProps) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const searchable = onSearch !== undefined || options.length > searchAbove
  const [opened, setOpened] = useOpened()
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
  const { focusSearchInput, updateSelectedOptionIndex } = combobox
  useEffect(() => {
    if (!opened) return
    if (searchable) focusSearchInput()
    updateSelectedOptionIndex('active')
  }, [opened, searchable, focusSearchInput, updateSelectedOptionIndex])

  const choose = (value: string): void => {
    const on = values.includes(value)
    if (multiple) {
      onChange(on ? values.filter((each) => each !== value) : [...values, value])
    } else {
      onChange(on ? [] : [value])
      combobox.closeDropdown()
    }
  }

  return (
    <Combobox store={combobox} width={260} position="bottom-start" withinPortal returnFocus onOptionSubmit={choose}>
      <Combobox.Target targetType="button">
        <OpenableChip {...chip} onClick={() => combobox.toggleDropdown()} />
      </Combobox.Target>
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
