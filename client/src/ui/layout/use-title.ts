import { useEffect } from 'react'

/** The name of the page in the browser tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Zonedeck`
  }, [title])
}
