import { i18next } from './i18n.ts'
import { toast } from './toast.ts'

declare global {
  interface Window {
    /** Loads the page without the service worker, at most once a minute (boot.js); missing in development. */
    zonedeckFromServer?: () => void
  }
}

const reloadedKey = 'zonedeck.reloaded'
const reloadEveryMs = 60_000
const inputs = ['pointerdown', 'keydown', 'input', 'click', 'drop'] as const

/**
 * Registers the service worker (client/public/sw.js); browsers allow it only over HTTPS and on localhost. When a newer build takes over, an
 * untouched page is reloaded, otherwise a toast offers it.
 */
export function startServiceWorker(): void {
  const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined
  if (!import.meta.env.PROD || workers === undefined) return
  let isTouched = false
  for (const event of inputs) window.addEventListener(event, () => (isTouched = true), { once: true, capture: true })
  // The first worker takes over a page of its own build.
  let isControlled = workers.controller !== null
  workers.addEventListener('controllerchange', () => {
    if (!isControlled) {
      isControlled = true
      return
    }
    // During an upgrade servers of both builds may answer in turn.
    if (isTouched || Date.now() - Number(sessionStorage.getItem(reloadedKey)) < reloadEveryMs) {
      toast.ended('info', i18next.t('updated.title'), i18next.t('updated.text'), i18next.t('reload'), () => location.reload())
      return
    }
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    location.reload()
  })
  const register = (): void => void workers.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
