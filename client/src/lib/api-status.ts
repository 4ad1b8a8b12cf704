import { createStore } from './store.ts'

interface ApiStatus {
  state: 'unknown' | 'online' | 'offline'
  /** Milliseconds since the epoch; null before the first check. */
  checkedAt: number | null
}

const onLoadMs = 5000
const onActivityMs = 600_000
const debounceMs = 1000
const timeoutMs = 5000
const storageKey = 'zonedeck.api-status'

/** Stored for the tab, so that a reload within 5 seconds knows the last check. */
function lastKnown(): ApiStatus {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as ApiStatus | null
    if (stored?.checkedAt && stored.checkedAt <= Date.now()) return stored
  } catch {
    // An unreadable value counts as none.
  }
  return { state: 'unknown', checkedAt: null }
}

export const apiStatus = createStore<ApiStatus>(lastKnown())
apiStatus.subscribe(() => sessionStorage.setItem(storageKey, JSON.stringify(apiStatus.get())))

let running: Promise<void> | null = null

async function check(): Promise<void> {
  let state: ApiStatus['state'] = 'offline'
  try {
    const response = await fetch('/api/health', {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) state = 'online'
  } catch {
    // A timeout counts as offline.
  }
  apiStatus.set({ state, checkedAt: Date.now() })
}

/** Checks whether the server answers; concurrent checks are shared. */
export const checkApi = (): Promise<void> => (running ??= check().finally(() => (running = null)))

const olderThan = (ms: number): boolean => {
  const { checkedAt } = apiStatus.get()
  return checkedAt === null || Date.now() - checkedAt >= ms
}

/** Starts the checks of R-LAY-09: on load, when the browser goes online, after activity. */
export function watchApi(): void {
  if (olderThan(onLoadMs)) void checkApi()
  window.addEventListener('online', () => void checkApi())

  let timer: ReturnType<typeof setTimeout> | undefined
  const onActivity = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (olderThan(onActivityMs)) void checkApi()
    }, debounceMs)
  }
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']) {
    window.addEventListener(event, onActivity, { passive: true, capture: true })
  }
}
