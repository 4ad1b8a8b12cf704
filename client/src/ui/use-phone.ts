import { useSyncExternalStore } from 'react'

const query = window.matchMedia('(max-width: 767.98px)')

/** Whether the screen is a phone's: lists are cards, filters a sheet. */
export const usePhone = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => query.matches,
  )
