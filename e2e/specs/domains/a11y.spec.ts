import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import { call, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2 })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/** `:id` stands for a domain. */
const paths = [
  '/domains',
  '/domains?view=grid',
  '/domains/lookup',
  '/domains/:id',
  '/domains/:id/records',
  '/domains/:id/security',
  '/domains/:id/history',
  '/operations',
  '/accounts',
  '/nowhere',
]
const zones = z.object({ data: z.array(z.object({ id: z.uuid() })) })

/** What axe holds for serious of what is shown. */
async function serious(page: Page, what: object): Promise<string[]> {
  const { violations } = await page.evaluate<Found>(`axe.run(document, ${JSON.stringify({ ...what, resultTypes: ['violations'] })})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
}

for (const path of paths) {
  test(`axe finds nothing serious on ${path}, dark and light`, async ({ mine }) => {
    const id = path.includes(':id') ? (await call('GET', '/zones/live?limit=1&status=active', zones)).data[0]?.id : undefined
    await mine.goto(path.replace(':id', id ?? ''))
    await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(mine.locator('[aria-busy=true]')).toHaveCount(0)
    await mine.evaluate(axe)
    expect(await serious(mine, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })).toEqual([])
    // Another theme is other colours and nothing else.
    await mine.evaluate(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'light'))
    expect(await serious(mine, { runOnly: ['color-contrast'] })).toEqual([])
  })
}
