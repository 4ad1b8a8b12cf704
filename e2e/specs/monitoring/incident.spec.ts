import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { failUntilRetry } from '../../fail-until-retry.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 4, accounts: 1, plain: true }, accounts: 1 })

const address = '198.51.100.7'
const zones = z.object({ data: z.array(z.object({ id: z.string(), name: z.string(), displayName: z.string() })) })
const incidents = z.object({ incidents: z.array(z.object({ id: z.string(), zoneId: z.string(), cause: z.string() })) })
const operation = z.object({ operation: z.object({ id: z.string(), finishedAt: z.string().nullable() }) })

test('issue 23 an incident names the affected domains and the operation that changed them before, which can be undone', async ({
  mine,
  t,
}) => {
  const patient = { timeout: 60_000 }
  await call('PATCH', '/settings/monitoring', z.unknown(), {
    enabled: true,
    regions: ['EUROPE'],
    checkInterval: 1,
    options: { failuresToDown: 1 },
  })
  const [first, second] = (await call('GET', '/zones/live', zones)).data
  if (first === undefined || second === undefined) throw new Error('there are no domains')
  const ids = [first.id, second.id]
  const moved = await call('POST', '/zones/bulk-ip-address', operation, { ids, ipAddress: address, mode: 'replace' })
  const isFinished = async () => (await call('GET', `/operations/${moved.operation.id}`, operation)).operation.finishedAt !== null
  await expect.poll(isFinished, patient).toBe(true)
  for (const { name } of [first, second]) deck().targets.set(name, { page: { kind: 'page', status: 502 } })
  await call('POST', '/monitoring/check', z.unknown(), { ids })
  const opened = async () => (await call('GET', `/incidents?cause=origin:${address}`, incidents)).incidents
  await expect.poll(async () => (await opened()).length, patient).toBe(2)
  const id = (await opened()).find(({ zoneId: domainId }) => domainId === first.id)?.id ?? ''

  const retry = await failUntilRetry(mine, /monitoring\.incident\b/)
  await mine.goto('/monitoring?tab=incidents')
  await mine.getByRole('row').filter({ hasText: first.displayName }).click()
  await expect(mine).toHaveURL(new RegExp(`incident=${id}`))
  const dialog = mine.getByRole('dialog')
  await expect(dialog.getByText(t('monitoring:failed.load_incident'))).toBeVisible(patient)
  await retry(dialog.getByRole('button', { name: t('common:retry') }))

  const before = dialog.getByRole('region', { name: t('monitoring:before.title') })
  await expect(before.getByRole('link', { name: `${t('operations:kinds.ip')} → ${address}` })).toHaveAttribute(
    'href',
    `/operations/${moved.operation.id}`,
  )
  await expect(before).toContainText(t('monitoring:before.domains', { count: 2, done: '2', formatted: '2' }))
  const affected = dialog.getByRole('region', { name: t('monitoring:affected.title', { count: 2, formatted: '2' }) })
  await expect(affected.getByRole('link')).toHaveText([first.displayName, second.displayName].toSorted())
  await expect(dialog.getByRole('list', { name: t('monitoring:timeline.label') })).toContainText(
    t('monitoring:timeline.joined', { count: 1, formatted: '1' }),
  )
  expect(await axeFindings(mine)).toEqual([])

  await mine.setViewportSize({ width: 390, height: 844 })
  await expect(before).toBeVisible()
  expect(await dialog.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0)
  await mine.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(mine).not.toHaveURL(/incident=/)

  await mine.unroute(/monitoring\.incident\b/)
  await mine.goto(`/monitoring?incident=${id}`)
  await before.getByRole('button', { name: t('operations:page.undo') }).click()
  await mine
    .getByRole('dialog', { name: t('operations:preview.undo_title', { domains: t('common:domains', { count: 2, formatted: '2' }) }) })
    .getByRole('button', { name: t('operations:preview.run_undo', { count: 2, formatted: '2' }), exact: true })
    .click()
  await expect(mine.getByRole('heading', { level: 1 })).toContainText(t('operations:kinds.undo'))

  await mine.goto(`/monitoring?incident=${randomUUID()}`)
  await expect(dialog.getByText(t('monitoring:incidents.not_found'), { exact: true })).toBeVisible()
})
