import { pages } from '../../../client/preloads.ts'
import { fillDeck } from '../../filled-deck.ts'
import { deck, expect, test, useDeck } from '../../fixtures.ts'
import { addressOf, openPaths, routePaths } from '../../route-pages.ts'

useDeck({ world: { zones: 10, accounts: 2, plain: true }, accounts: 2 })

/** Kilobytes of script, Brotli. The heaviest two read plans and forms with the schemas of the server. */
const mostScript: Readonly<Record<string, number>> = {
  '/register-domains': 394,
  '/operations/$id': 341,
  '/redirects': 274,
  '/activity-logs': 279,
  '/registrars/name-servers': 275,
  '/settings': 275,
}
const mostScriptElsewhere = 272

test('every page sends its first queries once, before its script has loaded, needs all of them, and loads little script', async ({
  page,
}) => {
  const filled = await fillDeck()
  await page.addInitScript(
    (stored) => localStorage.setItem('zonedeck.auth', stored),
    JSON.stringify({ ...deck().owner, isAuthenticated: true }),
  )
  // Change events refetch what a page shows.
  await page.route(/live\.events/, () => undefined)
  const problems: string[] = []
  for (const path of routePaths().filter((each) => !openPaths.includes(each) && each !== '/second-factor')) {
    const address = addressOf(path, filled)
    const early = pages.find(({ begins, ends = '' }) => address.startsWith(begins) && address.endsWith(ends))?.asks ?? []
    const names = ['me.layouts', 'operations.list', ...early.map(([name]) => name)]
    await page.goto('/favicon.svg')
    const sent: string[] = []
    const watch = (request: { url(): string }): void => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/trpc/')) sent.push(...pathname.slice('/trpc/'.length).split(','))
    }
    page.on('request', watch)
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const isTaken = () => page.evaluate<boolean>('Object.keys(window.zonedeckFirst ?? { none: true }).length === 0')
    await expect.poll(isTaken, address).toBe(true)
    page.off('request', watch)
    if (sent.slice(0, names.length).join() !== names.join()) problems.push(`${address} sent ${sent.join()} instead of ${names.join()}`)
    const scriptBytes = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    )
    const most = mostScript[path] ?? mostScriptElsewhere
    if (scriptBytes / 1_000 > most) problems.push(`${path} loads ${Math.round(scriptBytes / 1_000)} kB of script, at most ${most}`)
    if (address === '/domains') expect(sent.filter((name) => name === 'domains.rows')).toHaveLength(1)
  }
  expect(problems).toEqual([])
})

test('the first queries are sent again if the server refused all of them', async ({ page }) => {
  await page.addInitScript(
    (stored) => localStorage.setItem('zonedeck.auth', stored),
    JSON.stringify({ ...deck().owner, isAuthenticated: true }),
  )
  let isRefused = false
  const body = JSON.stringify({ error: { message: 'The panel is shutting down', code: -32603, data: { code: 'shutting_down' } } })
  await page.route(/me\.layouts,/, async (route) => {
    if (isRefused) return route.continue()
    isRefused = true
    await route.fulfill({ status: 503, contentType: 'application/json', body })
  })
  await page.goto('/groups')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  expect(isRefused).toBe(true)
})
