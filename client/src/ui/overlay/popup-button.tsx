import type { Menu, MenuProps, PopoverProps } from '@mantine/core'
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { Layer, loadLayers } from './layer.tsx'

type Button = ReactElement<ComponentProps<'button'>>

/**
 * A button that opens something, rendered by `children` together with the button. That is created, and its code loaded, when it is first opened:
 * a page has dozens of such buttons.
 */
export function PopupButton({ button, kind, children }: { button: Button; kind: 'menu' | 'listbox' | 'dialog'; children: ReactNode }) {
  const [wanted, setWanted] = useState(false)
  const closed = { 'aria-haspopup': kind, 'aria-expanded': false } as const
  if (!wanted) return cloneElement(button, { ...closed, onClick: () => setWanted(true) })
  return (
    <Layer opened onClose={() => setWanted(false)} fallback={cloneElement(button, { ...closed, 'aria-busy': true, autoFocus: true })}>
      {children}
    </Layer>
  )
}

/** The library's parts of a menu. */
export type MenuParts = typeof Menu

export interface MenuButtonProps extends Pick<MenuProps, 'position' | 'width'> {
  button: Button
  /** Renders the items. */
  children: (menu: MenuParts) => ReactNode
}
const OpenedMenu = lazyPart<MenuButtonProps>(async () => (await loadLayers()).OpenedMenu)

/** A button that opens a menu. */
export const MenuButton = (props: MenuButtonProps) => (
  <PopupButton kind="menu" button={props.button}>
    <OpenedMenu {...props} />
  </PopupButton>
)

export interface PopoverButtonProps extends Pick<PopoverProps, 'position' | 'width'> {
  button: Button
  label?: string
  padding?: number
  children: (close: () => void) => ReactNode
}
const OpenedPopover = lazyPart<PopoverButtonProps>(async () => (await loadLayers()).OpenedPopover)

/** A button that opens a small dialog beside it. */
export const PopoverButton = (props: PopoverButtonProps) => (
  <PopupButton kind="dialog" button={props.button}>
    <OpenedPopover {...props} />
  </PopupButton>
)
