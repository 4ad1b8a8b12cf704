import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const kept = new Map<string, string>()
let window: EventTarget

beforeEach(() => {
  kept.clear()
  window = new EventTarget()
  vi.resetModules()
  vi.stubGlobal('window', window)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

const user = {
  id: '1',
  username: 'anna',
  name: null,
  email: 'anna@example.com',
  role: 'user' as const,
  createdAt: '2026-11-21T00:00:00.000Z',
}

/** The event of a write in another tab. */
const otherTab = (key: string | null, newValue: string | null): void => {
  window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
}

describe('browser storage', () => {
  it('R-APP-05 R-AUT-04 keeps user, token and isAuthenticated, and restores them', async () => {
    const { setAuth } = await import('./auth.ts')
    setAuth({ user, token: 'secret' })
    expect([...kept.keys()]).toEqual(['zonedeck.auth'])
    expect(JSON.parse(kept.get('zonedeck.auth') ?? '')).toEqual({ user, token: 'secret', isAuthenticated: true })

    vi.resetModules()
    const again = await import('./auth.ts')
    expect(again.auth.get()).toEqual({ user, token: 'secret', isAuthenticated: true })
    again.clearAuth()
    expect(again.auth.get()).toEqual({ user: null, token: null, isAuthenticated: false })
  })

  it.each(['', 'null', '{', '[]', '{"isAuthenticated":true}', '{"isAuthenticated":true,"token":"x"}'])(
    'R-APP-05 treats %j as signed out',
    async (stored) => {
      kept.set('zonedeck.auth', stored)
      const { auth } = await import('./auth.ts')
      expect(auth.get().isAuthenticated).toBe(false)
    },
  )

  it('signing out in one tab signs out the others, without another write', async () => {
    const { auth, setAuth } = await import('./auth.ts')
    setAuth({ user, token: 'secret' })
    const heard: boolean[] = []
    auth.subscribe(() => heard.push(auth.get().isAuthenticated))
    kept.delete('zonedeck.auth')
    otherTab('zonedeck.auth', null)
    expect(heard).toEqual([false])
    expect(kept.has('zonedeck.auth')).toBe(false)
  })

  it('an unsubscribed listener is not called, and an equal value notifies no listener', async () => {
    const { createStore } = await import('./store.ts')
    const store = createStore(1)
    const heard: number[] = []
    const leave = store.subscribe(() => heard.push(store.get()))
    store.set(1)
    store.set((before) => before + 1)
    leave()
    store.set(5)
    expect(heard).toEqual([2])
  })
})
