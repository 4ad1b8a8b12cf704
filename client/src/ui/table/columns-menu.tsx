import { ActionIcon, Checkbox } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PopoverButton } from '../overlay/popup-button.tsx'
import type { ColumnLayout, DataColumn } from './data-table.types.ts'
import classes from './columns-menu.module.css'

/** The visible columns of a table. */
export function ColumnsMenu<Row>({ columns, layout }: { columns: readonly DataColumn<Row>[]; layout: ColumnLayout }) {
  const { t } = useTranslation()
  return (
    <PopoverButton
      position="bottom-end"
      width={220}
      button={
        <ActionIcon size={28} aria-label={t('table.columns')} title={t('table.columns')}>
          <IconColumns3 size={16} stroke={1.7} />
        </ActionIcon>
      }
    >
      {() => (
        <fieldset className={`column scroll-y ${classes['list']}`}>
          <legend className={`size-12 muted ${classes['title']}`}>{t('table.columns')}</legend>
          {columns
            .filter((column) => column.hideable !== false)
            .map((column) => (
              <Checkbox
                key={column.id}
                className={classes['row'] ?? ''}
                label={column.title}
                checked={!layout.hidden.has(column.id)}
                onChange={() => layout.toggle(column.id)}
              />
            ))}
          <Checkbox
            className={classes['density'] ?? ''}
            label={t('table.comfortable')}
            checked={layout.comfortable}
            onChange={layout.toggleComfortable}
          />
          <button
            type="button"
            className={`size-12 secondary text-start pointer hover-primary no-border line-top no-background ${classes['reset']}`}
            onClick={layout.reset}
          >
            {t('table.columns_reset')}
          </button>
        </fieldset>
      )}
    </PopoverButton>
  )
}
