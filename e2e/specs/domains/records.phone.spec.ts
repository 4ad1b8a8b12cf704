import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { call, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 30, accounts: 2 }, accounts: 1 })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const zones = z.object({ data: z.array(z.object({ id: z.uuid() })) })
const faults = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'], resultTypes: ['violations'] }).then(({ violations }) =>
  violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html))`

for (const theme of ['dark', 'light'] as const) {
  test(`R-DNS-01 on a phone records are cards, added in a dialog; nothing scrolls sideways and axe finds nothing serious, ${theme}`, async ({
    mine,
    t,
  }) => {
    const { data } = await call('GET', '/zones/live?status=active&limit=1', zones)
    await mine.addInitScript((chosen) => localStorage.setItem('zonedeck.theme', chosen), theme)
    await mine.setViewportSize({ width: 360, height: 740 })
    await mine.goto(`/domains/${data[0]?.id}/records`)
    await expect(mine.getByRole('listitem').first()).toContainText('A')
    expect(await mine.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect(await mine.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
    await mine.evaluate(axe)
    expect(await mine.evaluate(faults)).toEqual([])

    await mine.getByRole('button', { name: t('records:add'), exact: true }).tap()
    const dialog = mine.getByRole('dialog')
    await dialog.getByLabel(t('records:column.name')).fill(`phone-${theme}`)
    await dialog.getByLabel(t('records:column.content')).fill('203.0.113.99')
    expect(await mine.evaluate(faults)).toEqual([])
    await dialog.getByRole('button', { name: t('records:editor.add_save'), exact: true }).tap()
    await expect(mine.getByText(`phone-${theme}`, { exact: true })).toBeAttached()
  })
}
