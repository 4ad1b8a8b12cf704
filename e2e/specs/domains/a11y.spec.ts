import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2 })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

for (const theme of ['dark', 'light'] as const) {
  for (const path of ['/domains', '/domains?view=grid', '/domains/lookup', '/accounts', '/nowhere']) {
    test(`axe finds nothing serious on ${path}, ${theme}`, async ({ mine }) => {
      await mine.addInitScript((chosen) => localStorage.setItem('zonedeck.theme', chosen), theme)
      await mine.goto(path)
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
