import { createStore } from '#client/lib/store.ts'

const narrow = window.matchMedia('(max-width: 1023.98px)')

interface SidebarState {
  collapsed: boolean
  /** On a phone the open sidebar is an overlay. */
  open: boolean
}

export const sidebar = createStore<SidebarState>({ collapsed: narrow.matches, open: false })

// Below 1024 px it collapses automatically, and expands above; within a range the user decides (R-LAY-02).
narrow.addEventListener('change', ({ matches }) => sidebar.set({ collapsed: matches, open: false }))

export const toggleCollapsed = (): void => sidebar.set((before) => ({ ...before, collapsed: !before.collapsed }))
export const setSidebarOpen = (open: boolean): void => sidebar.set((before) => (before.open === open ? before : { ...before, open }))
