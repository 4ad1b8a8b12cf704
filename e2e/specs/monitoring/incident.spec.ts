import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { failUntilRetry } from '../../fail-until-retry.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 4, accounts: 1, plain: true }, accounts: 1 })

const address = '198.51.100.7'
const zones = z.object({ data: z.array(z.object({ id: z.string(), name: z.string(), displayName: z.string() })) })
const incidents = z.object({
  incidents: z.array(z.object({ id: z.string(), zoneId: z.string().nullable(), closedAt: z.string().nullable() })),
})
const feeds = z.object({ accounts: z.array(z.object({ changeFeed: z.object({ state: z.string() }).nullable() })) })
const operation = z.object({ operation: z.object({ id: z.string(), finishedAt: z.string().nullable() }) })

const patient = { timeout: 120_000 }

test('issue 23 an incident names the affected domains and the operation that changed them before, which can be undone', async ({
  mine,
  t,
}) => {
  await call('PATCH', '/settings/monitoring', z.unknown(), {
    enabled: true,
    regions: ['EUROPE'],
    checkInterval: 1,
    options: { failuresToDown: 1, successesToUp: 1 },
  })
  const [first, second] = (await call('GET', '/zones/live', zones)).data
  if (first === undefined || second === undefined) throw new Error('there are no domains')
  const ids = [first.id, second.id]
  const moved = await call('POST', '/zones/bulk-ip-address', operation, { ids, ipAddress: address, mode: 'replace' })
  const isFinished = async () => (await call('GET', `/operations/${moved.operation.id}`, operation)).operation.finishedAt !== null
  await expect.poll(isFinished, patient).toBe(true)
  const breakAll = () => {
    for (const { name } of [first, second]) deck().targets.set(name, { page: { kind: 'page', status: 502 } })
  }
  const opened = async () => (await call('GET', `/incidents?cause=origin:${address}&state=open`, incidents)).incidents
  // A check may be requested before the domain is monitored, or while another one is running.
  const checked = async () => {
    await call('POST', '/monitoring/check', z.unknown(), { ids })
    return (await opened()).length
  }
  breakAll()
  await expect.poll(checked, { ...patient, intervals: [1_000, 5_000] }).toBe(2)
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

  // One domain has recovered, then the other too: the operation is still named, but no longer undone from here.
  deck().targets.repair(second.name)
  await expect.poll(checked, patient).toBe(1)
  await mine.goto(`/monitoring?incident=${id}`)
  await expect(affected).toContainText(t('monitoring:affected.still', { open: '1', total: '2' }))
  const undo = before.getByRole('button', { name: t('operations:page.undo') })
  await expect(undo).toBeVisible()
  deck().targets.repair(first.name)
  await expect.poll(checked, patient).toBe(0)
  await mine.goto(`/monitoring?incident=${id}`)
  await expect(before.getByRole('link', { name: `${t('operations:kinds.ip')} → ${address}` })).toBeVisible()
  await expect(undo).toHaveCount(0)

  breakAll()
  await expect.poll(checked, patient).toBe(2)
  await mine.goto(`/monitoring?incident=${(await opened())[0]?.id ?? ''}`)
  await undo.click()
  await mine
    .getByRole('dialog', { name: t('operations:preview.undo_title', { domains: t('common:domains', { count: 2, formatted: '2' }) }) })
    .getByRole('button', { name: t('operations:preview.run_undo', { count: 2, formatted: '2' }), exact: true })
    .click()
  await expect(mine.getByRole('heading', { level: 1 })).toContainText(t('operations:kinds.undo'))

  await mine.goto(`/monitoring?incident=${randomUUID()}`)
  await expect(dialog.getByText(t('monitoring:incidents.not_found'), { exact: true })).toBeVisible()
})

test('critical changes at Cloudflare are an incident of an account, which mutes no domains and leads to the changes', async ({
  mine,
  t,
}) => {
  await call('PATCH', '/settings/monitoring', z.unknown(), { enabled: true, regions: ['EUROPE'] })
  const { cloudflare, credentials, readAuditLogs } = deck()
  const account = { id: credentials[0]?.accountId ?? '' }
  const actor = { email: 'colleague@example.com' }
  cloudflare.state.auditLog.add(account, {
    action: { type: 'create' },
    actor,
    raw: { method: 'POST', uri: `/client/v4/accounts/${account.id}/tokens` },
    resource: { product: 'tokens', id: 'token-1' },
  })
  const zone = { id: '0'.repeat(32), name: 'signed.example' }
  cloudflare.state.auditLog.add(account, {
    action: { type: 'delete' },
    actor,
    raw: { method: 'DELETE', uri: `/client/v4/zones/${zone.id}/dnssec` },
    resource: { product: 'dnssec' },
    zone,
  })
  const isRead = async () => (await call('GET', '/accounts', feeds)).accounts.every(({ changeFeed }) => changeFeed !== null)
  await expect.poll(isRead, patient).toBe(true)
  await readAuditLogs()
  const opened = async () => (await call('GET', '/incidents?cause=code:changed_outside', incidents)).incidents
  await expect.poll(async () => (await opened()).length, patient).toBe(1)

  await mine.goto('/monitoring')
  const cause = mine
    .getByRole('region', { name: t('monitoring:causes.title') })
    .getByRole('listitem')
    .filter({ hasText: t('reasons:changed_outside.what') })
  await expect(cause.getByRole('img', { name: t('monitoring:severity.changed_outside') })).toBeVisible()
  await expect(cause.getByRole('button', { name: t('monitoring:incidents.acknowledge') })).toBeVisible()
  await expect(cause.getByRole('button', { name: t('monitoring:incidents.mute_many') })).toHaveCount(0)

  await mine.goto(`/monitoring?incident=${(await opened())[0]?.id ?? ''}`)
  const dialog = mine.getByRole('dialog')
  await expect(dialog.getByText(t('monitoring:severity.changed_outside'), { exact: true })).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ has: mine.locator('strong') })).toHaveText([/signed\.example/, /token-1/])
  await expect(dialog.getByText(t('reasons:changed_outside.advice'))).toHaveCount(1)
  await expect(dialog.getByRole('list', { name: t('monitoring:timeline.label') })).toContainText('signed.example')
  await expect(dialog.getByRole('link', { name: t('monitoring:incidents.review_changes') })).toHaveAttribute(
    'href',
    '/activity-logs/changes?review=critical',
  )
  await expect(dialog.getByRole('button', { name: t('monitoring:incidents.acknowledge') })).toBeVisible()
  await expect(dialog.getByRole('button', { name: t('monitoring:incidents.mute') })).toHaveCount(0)
  expect(await axeFindings(mine)).toEqual([])
})
