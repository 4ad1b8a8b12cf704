import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './row-list.module.css'

export function SettingsRows<Row>({ label, rows, row }: { label: string; rows: readonly Row[]; row: (row: Row) => ReactNode }) {
  return rows.length === 0 ? null : (
    <ul className="card" aria-label={label}>
      {rows.map(row)}
    </ul>
  )
}

interface RowAct {
  /** The full accessible label of the button, including the row. */
  label: string
  onPress: () => void
}

/** A configured object with its actions. */
export function SettingsRow({
  icon: Symbol,
  name,
  about,
  warn = false,
  children,
  edit,
  remove,
}: {
  icon: Icon
  name: ReactNode
  about: ReactNode
  warn?: boolean
  /** Further buttons. */
  children?: ReactNode
  edit: RowAct
  /** Absent: it cannot be deleted. */
  remove?: RowAct | undefined
}) {
  const { t } = useTranslation('monitoring')
  return (
    <li className={`divided ${classes['row']}`}>
      <Symbol size={18} stroke={1.6} aria-hidden />
      <span className={classes['words']}>
        <span className={classes['name']}>{name}</span>
        <span className={`muted pretty ${classes['about']}`} data-warn={warn || undefined}>
          {about}
        </span>
      </span>
      <span className={classes['actions']}>
        {children}
        <Button variant="subtle" size="xs" color="gray" onClick={edit.onPress} aria-label={edit.label}>
          {t('edit')}
        </Button>
        {remove === undefined ? null : (
          <Button variant="subtle" size="xs" color="red" onClick={remove.onPress} aria-label={remove.label}>
            {t('delete')}
          </Button>
        )}
      </span>
    </li>
  )
}
