import { useEffect, useRef } from 'react'
import type { DataTableProps } from './data-table.types.ts'

export interface SelectionGestures {
  toggle: (index: number, shift: boolean) => void
  dragStart: (index: number) => void
  dragOver: (index: number) => void
}

/** A single checkbox, a range with Shift, and dragging over checkboxes. */
export function useSelectionGestures<Row>({
  selection,
  getRow,
  scrollKey,
}: Pick<DataTableProps<Row>, 'selection' | 'getRow' | 'scrollKey'>): SelectionGestures {
  const anchor = useRef<number | null>(null)
  const drag = useRef<{ start: number; last: number; value: boolean; moved: boolean } | null>(null)

  // An index of another list is meaningless here.
  useEffect(() => {
    anchor.current = null
  }, [scrollKey])

  useEffect(() => {
    // After the click that ends the same gesture.
    const end = (): void => void setTimeout(() => (drag.current = null))
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
    return () => {
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
    }
  }, [])

  const isSelected = (index: number): boolean => {
    const row = getRow(index)
    return row !== undefined && selection?.isSelected(row) === true
  }

  return {
    toggle: (index, shift) => {
      const row = getRow(index)
      if (!selection || row === undefined || drag.current?.moved) return
      const value = !isSelected(index)
      if (shift && anchor.current !== null && anchor.current !== index) {
        selection.onRange(Math.min(anchor.current, index), Math.max(anchor.current, index), value)
      } else {
        selection.onToggle(row, value)
      }
      anchor.current = index
    },
    dragStart: (index) => {
      drag.current = { start: index, last: index, value: !isSelected(index), moved: false }
    },
    dragOver: (index) => {
      const now = drag.current
      if (!selection || !now || index === now.last) return
      const from = now.moved ? now.last : now.start
      selection.onRange(Math.min(from, index), Math.max(from, index), now.value)
      now.moved = true
      now.last = index
      anchor.current = index
    },
  }
}
