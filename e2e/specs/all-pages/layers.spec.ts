import type { Page } from 'playwright/test'
import { fillDeck } from '../../filled-deck.ts'
import type { Filled } from '../../filled-deck.ts'
import { deck, expect, test, useDeck } from '../../fixtures.ts'
import { LayerWalk } from '../../layer-walk.ts'
import { addressOf, openPaths, routePaths } from '../../route-pages.ts'

useDeck({ world: { zones: 10, accounts: 2, plain: true }, accounts: 2 })

// Hundreds of controls, distributed over the workers.
test.describe.configure({ mode: 'parallel', timeout: 600_000 })

let filled: Filled
test.beforeAll(async () => {
  test.setTimeout(300_000)
  filled = await fillDeck()
})

/** Signs in again at every load, because one of the controls signs out. */
async function staySignedIn(page: Page): Promise<void> {
  await page.addInitScript(
    (stored) => localStorage.setItem('zonedeck.auth', stored),
    JSON.stringify({ ...deck().owner, isAuthenticated: true }),
  )
}

const ofUser = routePaths().filter((path) => !openPaths.includes(path) && path !== '/second-factor')
/** Each group is a separate test; a new page falls into the last one. */
const parts: Record<string, (path: string) => boolean> = {
  'redirects, profiles and operations': (path) => /^\/(?:redirects|profiles|operations|addresses)/.test(path),
  'the lists of domains': (path) => /^\/(?:domains(?:\/lookup|\/traffic)?)?$/.test(path),
  'the pages of a domain': (path) => path.startsWith('/domains/$'),
  'monitoring, trackers and settings': (path) => /^\/(?:monitoring|trackers|settings|users|me)/.test(path),
  'every other page': () => true,
}
const partOf = (path: string): string | undefined => Object.keys(parts).find((name) => parts[name]?.(path))

for (const part of Object.keys(parts)) {
  test(`every overlay on ${part} opens by mouse and keyboard, one at a time, and closes by Escape, an outside click and a choice`, async ({
    page,
  }) => {
    await staySignedIn(page)
    const walk = new LayerWalk(page)
    await walk.begin()
    for (const path of ofUser) if (partOf(path) === part) await walk.page(addressOf(path, filled))
    expect(walk.faults).toEqual([])
    expect(walk.opened.size).toBeGreaterThan(20)
  })
}

test('every overlay of the page frame opens and closes the same way', async ({ page }) => {
  await staySignedIn(page)
  const walk = new LayerWalk(page)
  await walk.begin()
  await walk.frame('/me')
  expect(walk.faults).toEqual([])
  expect(walk.opened.size).toBeGreaterThan(8)
})

test('every overlay of a public page opens and closes the same way', async ({ page }) => {
  const walk = new LayerWalk(page)
  await walk.begin()
  for (const path of openPaths) await walk.page(addressOf(path, filled))
  expect(walk.faults).toEqual([])
})

test('every overlay on a phone opens and closes the same way, also in the filter sheet', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await staySignedIn(page)
  const walk = new LayerWalk(page)
  await walk.begin()
  await walk.frame('/me')
  for (const path of ['/domains', '/accounts']) await walk.page(path)
  expect(walk.faults).toEqual([])
  expect(walk.opened.size).toBeGreaterThan(20)
})

test('the sheet of filters returns the focus although its closing is animated', async ({ mine, t }) => {
  await mine.emulateMedia({ reducedMotion: 'no-preference' })
  await mine.setViewportSize({ width: 1100, height: 850 })
  await mine.goto('/domains')
  const more = mine.getByRole('main').getByTitle(t('common:filters.title'))
  for (const how of ['mouse', 'keyboard'] as const) {
    if (how === 'mouse') await more.click()
    else await more.press('Enter')
    const sheet = mine.getByRole('dialog', { name: t('common:filters.title') })
    await expect(sheet.locator(':focus')).toBeVisible()
    await mine.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(more).toBeFocused()
  }
})

test('R-PAL-01 every palette action opens only its own dialog, and Escape returns to where the palette was opened', async ({ mine, t }) => {
  await mine.goto('/accounts')
  const search = mine.getByRole('button', { name: t('shell:palette.open') })
  const palette = mine.getByRole('dialog', { name: t('shell:palette.open') })
  for (const action of ['account', 'domain', 'group', 'profile', 'registrar', 'reserve', 'user'] as const) {
    for (const how of ['mouse', 'keyboard'] as const) {
      if (how === 'mouse') await search.click()
      else {
        await search.focus()
        await mine.keyboard.press('Control+k')
      }
      const words = t(`shell:quick_add.${action}`)
      await mine.getByPlaceholder(t('shell:palette.placeholder')).fill(words)
      const item = palette.getByRole('button', { name: words })
      await expect(item).toHaveAttribute('data-selected', 'true')
      if (how === 'mouse') await item.click()
      else await mine.keyboard.press('Enter')
      await expect(palette).toBeHidden()
      await expect(mine.getByRole('dialog')).toHaveCount(1)
      await mine.keyboard.press('Control+k')
      await expect(palette).toBeHidden()
      await mine.keyboard.press('Escape')
      await expect(mine.getByRole('dialog')).toHaveCount(0)
      await expect(search).toBeFocused()
    }
  }
})
