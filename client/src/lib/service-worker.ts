import { i18next } from './i18n.ts'
import { toast } from './toast.ts'

/**
 * Registers the service worker (client/public/sw.js). Browsers allow it only over HTTPS and on localhost. When a newer build takes over, a page
 * that the user has not touched is reloaded, any other offers it.
 */
export function registerServiceWorker(): void {
  const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined
  if (!import.meta.env.PROD || workers === undefined) return
  let touched = false
  for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, () => (touched = true), { once: true, capture: true })
  // The first worker takes over a page of its own build.
  let controlled = workers.controller !== null
  workers.addEventListener('controllerchange', () => {
    if (!controlled) controlled = true
    else if (touched)
      toast.ended('info', i18next.t('updated.title'), i18next.t('updated.text'), i18next.t('reload'), () => location.reload())
    else location.reload()
  })
  workers.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
}
