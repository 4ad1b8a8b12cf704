import { ActionIcon } from '@mantine/core'
import { IconDots, type Icon } from '@tabler/icons-react'
import { MenuButton } from '../overlay/popup-button.tsx'

export interface RowMenuItem<Action extends string> {
  action: Action
  icon: Icon
  label: string
  /** Why it is disabled; null or absent: it is not. */
  off?: string | null
  /** Separated, at the end. */
  danger?: boolean
}

interface RowMenuProps<Action extends string> {
  /** The label, including the row's name. */
  label: string
  hint: string
  /** Shown above the items. */
  note?: string | null
  width?: number
  items: readonly RowMenuItem<Action>[]
  onAction: (action: Action) => void
}

/** All actions on one row of a list. */
export function RowMenu<Action extends string>({ label, hint, note = null, width = 220, items, onAction }: RowMenuProps<Action>) {
  return (
    <MenuButton
      position="bottom-end"
      width={width}
      button={
        <ActionIcon size={24} aria-label={label} title={hint}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      }
    >
      {(Menu) => {
        const item = ({ action, icon: Symbol, label: words, off = null, danger = false }: RowMenuItem<Action>) => (
          <Menu.Item
            key={action}
            {...(danger && { color: 'red' })}
            leftSection={<Symbol size={15} stroke={1.7} />}
            disabled={off !== null}
            title={off ?? undefined}
            onClick={() => onAction(action)}
          >
            {words}
          </Menu.Item>
        )
        const dangers = items.filter(({ danger }) => danger)
        return (
          <>
            {note === null ? null : <Menu.Label>{note}</Menu.Label>}
            {items.filter(({ danger }) => !danger).map(item)}
            {dangers.length === 0 ? null : <Menu.Divider />}
            {dangers.map(item)}
          </>
        )
      }}
    </MenuButton>
  )
}
