import { createStore } from '#client/lib/store.ts'

type State = 'unsupported' | NotificationPermission

/** Whether this browser shows notifications while the panel is open in it: its own permission decides, and remembers the choice. */
export const browserNotifications = createStore<State>('Notification' in window ? Notification.permission : 'unsupported')

export async function requestBrowserNotifications(): Promise<void> {
  browserNotifications.set(await Notification.requestPermission())
}

/** Tabs that show the same one replace it silently. */
export function showInBrowser({ title, body, tag, onOpen }: { title: string; body: string; tag: string; onOpen: () => void }): void {
  try {
    const shown = new Notification(title, { body, tag, icon: '/favicon.svg' })
    shown.addEventListener('click', () => {
      window.focus()
      shown.close()
      onOpen()
    })
  } catch {
    // Chromium on Android shows only those of a service worker.
    browserNotifications.set('unsupported')
  }
}
