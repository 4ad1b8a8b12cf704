import { ActionIcon, type ActionIconProps, type ElementProps, Menu } from '@mantine/core'
import { IconDots, type Icon } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

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

/** All actions on one row of a list. A list has dozens of them, so a menu is created when it is first opened. */
export function RowMenu<Action extends string>(props: RowMenuProps<Action>) {
  const [opened, setOpened] = useState(false)
  if (opened) return <OpenedMenu {...props} />
  return <MenuButton label={props.label} hint={props.hint} aria-haspopup="menu" aria-expanded={false} onClick={() => setOpened(true)} />
}

function MenuButton({ label, hint, ...button }: { label: string; hint: string } & ElementProps<'button', keyof ActionIconProps>) {
  return (
    <ActionIcon size={24} {...button} aria-label={label} title={hint}>
      <IconDots size={16} stroke={1.8} />
    </ActionIcon>
  )
}

function OpenedMenu<Action extends string>({ label, hint, note = null, width = 220, items, onAction }: RowMenuProps<Action>) {
  const [opened, setOpened] = useState(false)
  // Only when the button exists and has the focus, so that the focus returns to it.
  useEffect(() => setOpened(true), [])
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
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={width}>
      <Menu.Target>
        <MenuButton label={label} hint={hint} autoFocus />
      </Menu.Target>
      <Menu.Dropdown>
        {note === null ? null : <Menu.Label>{note}</Menu.Label>}
        {items.filter(({ danger }) => !danger).map(item)}
        {dangers.length === 0 ? null : <Menu.Divider />}
        {dangers.map(item)}
      </Menu.Dropdown>
    </Menu>
  )
}
