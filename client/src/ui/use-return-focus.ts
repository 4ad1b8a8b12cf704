import { useLayoutEffect } from 'react'

/** Gives the focus back to where it was when the dialog that calls it was opened: Mantine does so only for dialogs that stay mounted. */
export function useReturnFocus(): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
}
