import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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

for (const theme of ['dark', 'light'] as const) {
  for (const path of paths) {
    test(`axe finds nothing serious on ${path}, ${theme}`, async ({ mine }) => {
      await mine.addInitScript((chosen) => localStorage.setItem('zonedeck.theme', chosen), theme)
      const id = path.includes(':id') ? (await call('GET', '/zones/live?limit=1&status=active', zones)).data[0]?.id : undefined
      await mine.goto(path.replace(':id', id ?? ''))
      await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(mine.locator('[aria-busy=true]')).toHaveCount(0)
      await mine.evaluate(axe)
      const { violations } = await mine.evaluate<Found>(
        `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'], resultTypes: ['violations'] })`,
      )
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([])
    })
  }
}
