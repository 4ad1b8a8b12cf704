import { Menu, Popover } from '@mantine/core'
import { cloneElement, useEffect, useState } from 'react'
import type { MenuButtonProps, PopoverButtonProps } from './popup-button.tsx'

/** Opens only when the button exists and has the focus, so that the focus returns to it. */
export function useOpened(): [opened: boolean, setOpened: (opened: boolean) => void] {
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  return [opened, setOpened]
}

export function OpenedMenu({ button, children, ...props }: MenuButtonProps) {
  const [opened, setOpened] = useOpened()
  return (
    <Menu {...props} opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(button, { autoFocus: true })}</Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  )
}

export function OpenedPopover({ button, label, padding, children, ...props }: PopoverButtonProps) {
  const [opened, setOpened] = useOpened()
  return (
    <Popover {...props} opened={opened} onChange={setOpened} trapFocus returnFocus>
      <Popover.Target>{cloneElement(button, { autoFocus: true, onClick: () => setOpened(!opened) })}</Popover.Target>
      <Popover.Dropdown {...(padding !== undefined && { p: padding })} aria-label={label}>
        {children(() => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  )
}
