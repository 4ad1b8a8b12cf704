import { cloneElement, type ComponentType, type KeyboardEvent, useState } from 'react'
import { loadCode } from '#client/lib/lazy-part.tsx'
import { reportPartFailure } from '../feedback/error-boundary.tsx'
import { loadLayers } from './layer.tsx'
import type { MenuButtonProps, PopoverButtonProps, PopupOpener } from './opened-popups.tsx'

/**
 * A button that opens something. What it opens is created, and its code loaded, when it is first opened: a page has dozens of such buttons.
 * Meanwhile the button is busy; a click, Escape or another focus cancels the opening.
 * @param load the component that renders the button together with what it opens
 * @param props of that component
 */
export function PopupButton<Props extends object>({
  button,
  kind,
  load,
  props,
}: {
  button: PopupOpener
  kind: 'menu' | 'listbox' | 'dialog'
  load: () => Promise<ComponentType<Props>>
  props: Props
}) {
  const [{ loading, Opened }, setState] = useState<{ loading: boolean; Opened: ComponentType<Props> | null }>({
    loading: false,
    Opened: null,
  })
  if (Opened !== null) return <Opened {...props} />

  const open = async (): Promise<void> => {
    setState({ loading: true, Opened: null })
    try {
      const Loaded = await loadCode(load)
      setState((before) => ({ loading: false, Opened: before.loading ? Loaded : null }))
    } catch (error) {
      setState({ loading: false, Opened: null })
      reportPartFailure(error)
    }
  }
  const cancel = (): void => setState({ loading: false, Opened: null })
  return cloneElement(button, {
    'aria-haspopup': kind,
    'aria-expanded': false,
    ...(loading
      ? {
          'aria-busy': true,
          onClick: cancel,
          onBlur: cancel,
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key !== 'Escape') return
            event.preventDefault()
            cancel()
          },
        }
      : { onClick: () => void open() }),
  })
}

const loadMenu = async () => (await loadLayers()).OpenedMenu
/** A button that opens a menu. */
export const MenuButton = (props: MenuButtonProps) => <PopupButton kind="menu" button={props.button} load={loadMenu} props={props} />

const loadPopover = async () => (await loadLayers()).OpenedPopover
/** A button that opens a small dialog beside it. */
export const PopoverButton = (props: PopoverButtonProps) => (
  <PopupButton kind="dialog" button={props.button} load={loadPopover} props={props} />
)
