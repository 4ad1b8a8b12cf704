import { QueryObserver } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
vi.stubGlobal('document', { documentElement: { lang: 'en' } })
vi.stubGlobal('window', { addEventListener: () => undefined })
// Another test file may have loaded it without the above.
vi.resetModules()
const { queryClient } = await import('./query-client.ts')
afterAll(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('R-APP-04 data is fresh for 5 minutes and cached for 15, and focusing the window refetches nothing', () => {
  expect(queryClient.getDefaultOptions().queries).toMatchObject({ staleTime: 300_000, gcTime: 900_000, refetchOnWindowFocus: false })
})

test.each([
  ['a temporary failure is retried once', { code: 'internal', retryable: true }, 2],
  ['a rejection is not retried', { code: 'not_found', retryable: false }, 1],
])('R-APP-04 a failed query: %s', async (why, data, tries) => {
  let tried = 0
  const queryFn = () => {
    tried += 1
    return Promise.reject(TRPCClientError.from({ error: { message: why, code: -32_603, data } }))
  }
  const observer = new QueryObserver(queryClient, { queryKey: [why], queryFn, retryDelay: 0 })
  await new Promise<void>((resolve) => {
    const end = observer.subscribe(({ isError }) => {
      if (!isError) return
      end()
      resolve()
    })
  })
  expect(tried).toBe(tries)
})

test('R-ACC-07 change events during the first fetch are not lost: it is fetched once more', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const
  let asked = 0
  const queryFn = () => answers[(asked += 1) === 1 ? 0 : 1].promise
  const observer = new QueryObserver(queryClient, { queryKey: ['news'], queryFn })
  const end = observer.subscribe(() => undefined)
  void queryClient.invalidateQueries({ queryKey: ['news'] })
  answers[0].resolve('before the news')
  answers[1].resolve('after them')
  await expect.poll(() => observer.getCurrentResult().data).toBe('after them')
  expect(asked).toBe(2)
  end()
})
