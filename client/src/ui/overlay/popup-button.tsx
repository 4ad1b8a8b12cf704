import { cloneElement, type ReactNode, useState } from 'react'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { Layer, loadLayers } from './layer.tsx'
import type { MenuButtonProps, PopoverButtonProps, PopupOpener } from './opened-popups.tsx'

/**
 * A button that opens something, rendered by `children` together with the button. That is created, and its code loaded, when it is first opened:
 * a page has dozens of such buttons.
 */
export function PopupButton({ button, kind, children }: { button: PopupOpener; kind: 'menu' | 'listbox' | 'dialog'; children: ReactNode }) {
  const [wanted, setWanted] = useState(false)
  const closed = { 'aria-haspopup': kind, 'aria-expanded': false } as const
  if (!wanted) return cloneElement(button, { ...closed, onClick: () => setWanted(true) })
  return (
    <Layer opened onClose={() => setWanted(false)} fallback={cloneElement(button, { ...closed, 'aria-busy': true, autoFocus: true })}>
      {children}
    </Layer>
  )
}

const OpenedMenu = lazyPart<MenuButtonProps>(async () => (await loadLayers()).OpenedMenu)

/** A button that opens a menu. */
export const MenuButton = (props: MenuButtonProps) => (
  <PopupButton kind="menu" button={props.button}>
    <OpenedMenu {...props} />
  </PopupButton>
)

const OpenedPopover = lazyPart<PopoverButtonProps>(async () => (await loadLayers()).OpenedPopover)

/** A button that opens a small dialog beside it. */
export const PopoverButton = (props: PopoverButtonProps) => (
  <PopupButton kind="dialog" button={props.button}>
    <OpenedPopover {...props} />
  </PopupButton>
)
