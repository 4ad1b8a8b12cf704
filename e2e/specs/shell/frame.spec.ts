import { expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 1 })

test('R-LDR-01 R-LDR-02 the loader is shown in the selected theme before scripts and style sheets arrive, and disappears when the page is ready', async ({
  mine,
  t,
}) => {
  await mine.addInitScript(() => localStorage.setItem('zonedeck.theme', 'light'))
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await mine.route(/\/assets\//, async (route) => {
    await held
    await route.continue()
  })
  await mine.goto('/accounts', { waitUntil: 'commit' })
  const loading = mine.getByText(t('common:loader.loading'))
  await expect(loading).toBeVisible()
  await expect(mine.getByText(t('common:loader.hint'))).toBeVisible()
  await expect(mine.locator('#boot-loader')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(mine.locator('#boot-loader')).toHaveCSS('position', 'fixed')
  release()
  await expect(mine.getByRole('heading', { level: 1, name: t('accounts:title') })).toBeVisible()
  await expect(loading).toBeHidden()
})

test('R-LAY-07 a toast appears at the top right and can be closed', async ({ mine, t }) => {
  await mine.goto('/accounts')
  await mine.getByRole('checkbox').nth(1).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('accounts:refresh') })
    .click()
  const toast = mine.getByRole('status').filter({ hasText: t('accounts:refresh_started') })
  await expect(toast).toBeVisible()
  const box = await toast.boundingBox()
  expect(box?.x ?? 0).toBeGreaterThan(1440 / 2)
  expect(box?.y ?? 900).toBeLessThan(200)
  await toast.getByRole('button').click()
  await expect(toast).toBeHidden()
})

test('R-LAY-07 toasts are away from the buttons of an open dialog, and on a phone from those of the page', async ({ mine, t }) => {
  await mine.goto('/accounts')
  const place = (): Promise<readonly [boolean, boolean]> =>
    mine.locator('.mantine-Notifications-root[data-position="top-right"]').evaluate((toasts) => {
      const { x, bottom } = toasts.getBoundingClientRect()
      return [x > innerWidth / 2, bottom < innerHeight / 2] as const
    })
  await expect.poll(place).toEqual([true, true])
  await mine
    .getByRole('button', { name: t('accounts:add') })
    .first()
    .click()
  await expect(mine.getByRole('dialog')).toBeVisible()
  await expect.poll(place).toEqual([false, false])
  await mine.keyboard.press('Escape')
  await expect.poll(place).toEqual([true, true])
  await mine.setViewportSize({ width: 390, height: 844 })
  await expect.poll(place).toEqual([false, false])
})

test('R-LAY-06 on a very wide screen the page keeps its maximum width', async ({ mine }) => {
  await mine.setViewportSize({ width: 2600, height: 900 })
  await mine.goto('/accounts')
  const grid = mine.getByRole('grid')
  await expect(grid).toBeVisible()
  expect((await grid.boundingBox())?.width).toBeLessThanOrEqual(1600)
})

test('R-APP-06 a page loads its own script when it is opened', async ({ mine, t }) => {
  const scripts = new Set<string>()
  mine.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url())
  })
  await mine.goto('/domains')
  await expect(mine.getByRole('grid')).toBeVisible()
  const before = scripts.size
  await mine
    .getByRole('navigation')
    .getByRole('link', { name: t('shell:nav.accounts') })
    .click()
  await expect(mine.getByRole('heading', { level: 1, name: t('accounts:title') })).toBeVisible()
  expect(scripts.size).toBeGreaterThan(before)
})

test('R-APP-01 one process serves the page, tRPC and REST', async ({ mine, request, baseURL }) => {
  const page = await mine.goto('/login')
  expect(page?.headers()['content-type']).toContain('text/html')
  const trpc = await request.get(`${baseURL ?? ''}/trpc/auth.config`)
  expect(await trpc.json()).toMatchObject({ result: { data: { registration: 'open' } } })
  const rest = await request.get(`${baseURL ?? ''}/api/health`)
  expect(await rest.json()).toMatchObject({ status: 'ok', database: 'ok' })
})
