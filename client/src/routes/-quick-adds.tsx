import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import type { QuickAddId } from '#client/lib/quick-add.ts'

/** The dialog of each quick add; its code comes when it is first opened. */
export const quickAdds: Record<QuickAddId, LazyExoticComponent<ComponentType<{ onClose: () => void }>>> = {
  account: lazy(async () => ({ default: () => null })),
}
