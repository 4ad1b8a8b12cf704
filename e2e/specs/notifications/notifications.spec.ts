import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { failUntilRetry } from '../../fail-until-retry.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 4, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.string(), name: z.string(), displayName: z.string() })) })
const incidents = z.object({ incidents: z.array(z.object({ id: z.string() })) })
const patient = { timeout: 120_000 }

test('issue 23 the bell counts what happened, lists it, and remembers what was seen', async ({ mine, t }) => {
  const bell = (name: string) => mine.getByRole('banner').getByRole('button', { name, exact: true })
  const none = t('shell:notifications.none')
  const retry = await failUntilRetry(mine, /notifications\.list\b/)
  await mine.goto('/groups')
  await bell(none).click()
  const list = mine.getByRole('dialog', { name: t('shell:notifications.title') })
  await retry(list.getByRole('button', { name: t('common:retry') }))
  await expect(list.getByText(t('notifications:none'))).toBeVisible(patient)
  expect(await axeFindings(mine, { within: '[role=dialog]' })).toEqual([])
  await mine.keyboard.press('Escape')
  await expect(list).toBeHidden()

  await call('PATCH', '/settings/monitoring', z.unknown(), {
    enabled: true,
    regions: ['EUROPE'],
    checkInterval: 1,
    options: { failuresToDown: 1, successesToUp: 1 },
  })
  const [domain] = (await call('GET', '/zones/live', zones)).data
  if (domain === undefined) throw new Error('there is no domain')
  deck().targets.set(domain.name, { page: { kind: 'page', status: 502 } })
  // A check may be requested before the domain is monitored, or while another one is running.
  const checked = async () => {
    await call('POST', '/monitoring/check', z.unknown(), { ids: [domain.id] })
    return (await call('GET', `/incidents?zoneId=${domain.id}&state=open`, incidents)).incidents.length
  }
  await expect.poll(checked, patient).toBe(1)
  const [incident] = (await call('GET', `/incidents?zoneId=${domain.id}&state=open`, incidents)).incidents

  // The event of the incident updates the bell of an open page.
  await bell(t('shell:notifications.unread', { count: 1, formatted: '1' })).click()
  const entry = list.getByRole('link').filter({ hasText: domain.displayName })
  await expect(entry).toContainText(t('notifications:new'))
  await expect(entry).toHaveAttribute('href', new RegExp(`incident=${incident?.id ?? randomUUID()}`))
  // While the list is open, it still says what is new.
  await expect(bell(none)).toBeAttached(patient)
  expect(await axeFindings(mine, { within: '[role=dialog]' })).toEqual([])
  await entry.click()
  await expect(mine).toHaveURL(/monitoring/)
  await expect(list).toBeHidden()

  await mine.unroute(/notifications\.list\b/)
  await mine.goto('/groups')
  await expect(bell(none)).toBeVisible()
  await bell(none).click()
  await expect(list.getByRole('link').filter({ hasText: domain.displayName })).not.toContainText(t('notifications:new'))
})
