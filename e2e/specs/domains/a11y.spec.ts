import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { call, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2 })

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

for (const path of paths) {
  test(`axe finds nothing serious on ${path}, dark and light`, async ({ mine }) => {
    const id = path.includes(':id') ? (await call('GET', '/zones/live?limit=1&status=active', zones)).data[0]?.id : undefined
    await mine.goto(path.replace(':id', id ?? ''))
    await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await axeFindings(mine)).toEqual([])
  })
}
