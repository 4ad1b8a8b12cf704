import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** Whether the media query matches now. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => window.matchMedia(query), [query])
  const subscribe = useCallback(
    (changed: () => void) => {
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [list],
  )
  return useSyncExternalStore(subscribe, () => list.matches)
}

/** Whether the screen is that of a phone: lists are cards, filters a sheet. */
export const usePhone = (): boolean => useMedia('(max-width: 767.98px)')
