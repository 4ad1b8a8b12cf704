import { useEffect } from 'react'

/** Name of the page in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Zonedeck`
  }, [title])
}
