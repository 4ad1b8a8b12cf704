import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const minuteMs = 60_000

/** The browser APIs that the checks use. */
function browser(storage = new Map<string, string>()) {
  const window = new EventTarget()
  const calls: { url: string; init: RequestInit }[] = []
  let answer: () => Promise<Response> = () => Promise.resolve(new Response('{}'))
  vi.stubGlobal('window', window)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  })
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    calls.push({ url, init })
    return answer()
  })
  return {
    storage,
    calls,
    does: (event: string) => window.dispatchEvent(new Event(event)),
    answers: (next: () => Promise<Response>) => {
      answer = next
    },
  }
}

const load = async (): Promise<typeof import('./api-status.ts')> => {
  vi.resetModules()
  return import('./api-status.ts')
}

const passed = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21) })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the server status', () => {
  it('R-LAY-09 is checked on load with GET /api/health, without credentials, and the result is kept', async () => {
    const { calls } = browser()
    const { apiStatus, watchApi } = await load()
    watchApi()
    await passed(0)
    expect(calls.map(({ url }) => url)).toEqual(['/api/health'])
    expect(calls[0]?.init).toMatchObject({ credentials: 'omit' })
    expect(calls[0]?.init.method).toBeUndefined()
    expect(apiStatus.get()).toEqual({ state: 'online', checkedAt: Date.now() })
  })

  it('R-LAY-09 is not checked again by a reload within 5 seconds, but after 5 seconds', async () => {
    const first = browser()
    ;(await load()).watchApi()
    await passed(4999)
    const second = browser(first.storage)
    const early = await load()
    early.watchApi()
    await passed(0)
    expect(second.calls).toHaveLength(0)
    expect(early.apiStatus.get().state).toBe('online')

    await passed(1)
    const third = browser(first.storage)
    ;(await load()).watchApi()
    expect(third.calls).toHaveLength(1)
  })

  it('R-LAY-09 is checked when the browser goes online', async () => {
    const { calls, does } = browser()
    ;(await load()).watchApi()
    await passed(0)
    does('online')
    await passed(0)
    expect(calls).toHaveLength(2)
  })

  it('R-LAY-09 is checked a second after activity ends, only when the last check is 10 minutes old', async () => {
    const { calls, does } = browser()
    ;(await load()).watchApi()
    await passed(10 * minuteMs - 2000)
    does('keydown')
    await passed(1000)
    expect(calls).toHaveLength(1)

    await passed(1000)
    does('pointermove')
    await passed(900)
    does('pointermove')
    await passed(999)
    expect(calls).toHaveLength(1)
    await passed(1)
    expect(calls).toHaveLength(2)
  })

  it('R-LAY-09 is offline without an answer, and concurrent checks are shared', async () => {
    const { answers, calls } = browser()
    const { apiStatus, checkApi } = await load()
    answers(() => Promise.reject(new TypeError('failed to fetch')))
    await Promise.all([checkApi(), checkApi()])
    expect(calls).toHaveLength(1)
    expect(apiStatus.get().state).toBe('offline')
    answers(() => Promise.resolve(new Response('', { status: 503 })))
    await checkApi()
    expect(apiStatus.get().state).toBe('offline')
    answers(() => Promise.resolve(new Response('{}')))
    await checkApi()
    expect(apiStatus.get().state).toBe('online')
  })

  it('R-LAY-09 times out after 5 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const { calls } = browser()
    await (await load()).checkApi()
    expect(timeout).toHaveBeenCalledWith(5000)
    expect(calls[0]?.init.signal).toBe(timeout.mock.results[0]?.value)
  })
})
