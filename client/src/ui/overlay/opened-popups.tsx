import { Menu, type MenuProps, Popover, type PopoverProps } from '@mantine/core'
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode, useEffect, useState } from 'react'

/** The button that opens a popup. */
export type PopupOpener = ReactElement<ComponentProps<'button'>>

/** Opens only when the button exists and has the focus, so that the focus returns to it. */
export function useOpened(): [opened: boolean, setOpened: (opened: boolean) => void] {
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  return [opened, setOpened]
}

/** The library's parts of a menu. */
export type MenuParts = typeof Menu

export interface MenuButtonProps extends Pick<MenuProps, 'position' | 'width'> {
  button: PopupOpener
  /** Renders the items. */
  children: (menu: MenuParts) => ReactNode
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

export interface PopoverButtonProps extends Pick<PopoverProps, 'position' | 'width'> {
  button: PopupOpener
  label?: string
  padding?: number
  children: (close: () => void) => ReactNode
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
