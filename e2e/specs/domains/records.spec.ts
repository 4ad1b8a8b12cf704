import type { Page } from 'playwright/test'
import { z } from 'zod'
import { recordQuota } from '#server/simulators/cloudflare/record-write.ts'
import { recordsOf as recordsAtCloudflare } from '#server/simulators/cloudflare/records.ts'
import { dnsRecord, type RecordInput } from '#shared/features/domains/records/schema.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 60, accounts: 3, recordsPerZone: 8 }, accounts: 2 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string() })) })
const records = z.object({ records: z.array(dnsRecord) })
let next = 0

/** Creates a separate zone for each test, not yet synced. */
async function zone() {
  const { data } = await call('GET', '/zones/live?status=active&limit=40', zones)
  const found = data[(next += 1)]
  if (found === undefined) throw new Error('the world is too small')
  return found
}
const recordsOf = async (id: string) => (await call('GET', `/zones/${id}/dns-records`, records)).records
const add = (id: string, record: RecordInput) => call('POST', `/zones/${id}/dns-records`, z.object({ record: dnsRecord }), record)

/** The records at Cloudflare, which are the source of truth. */
function atCloudflare(name: string) {
  const found = [...deck().cloudflare.state.zonesById.values()].find((each) => each.name === name)
  if (found === undefined) throw new Error(`no zone ${name}`)
  return recordsAtCloudflare(deck().cloudflare.state, found)
}

const row = (page: Page, text: string) => page.getByRole('grid').locator('[role=row][data-id]').filter({ hasText: text })

async function open(page: Page, id: string, query = '') {
  await page.goto(`/domains/${id}/records${query}`)
  await expect(page.getByRole('grid')).not.toHaveAttribute('aria-busy', 'true')
}

test('R-DNS-01 R-DNS-03 records are added one after another, each validated while it is typed', async ({ mine, t }) => {
  const { id, name } = await zone()
  await open(mine, id)
  await mine.getByRole('button', { name: t('records:add'), exact: true }).click()
  const form = mine.getByRole('form', { name: t('records:editor.add') })
  await form.getByLabel(t('records:column.name')).fill('first')
  const content = form.getByLabel(t('records:column.content'))
  await content.fill('203.0.113')
  await expect(form.getByText(t('faults:record_ipv4'))).toBeVisible()
  await content.press('Enter')
  await expect(content).toBeFocused()
  await content.fill('203.0.113.7')
  await expect(form.getByText(t('faults:record_ipv4'))).toBeHidden()
  await content.press('Enter')
  await expect(row(mine, `first.${name}`)).toContainText('203.0.113.7')

  // The same form and address with another name.
  await expect(form.getByLabel(t('records:column.name'))).toBeFocused()
  await mine.keyboard.type('second')
  await mine.keyboard.press('Enter')
  await expect(row(mine, `second.${name}`)).toContainText('203.0.113.7')
  const made = atCloudflare(name).filter(({ content: address }) => address === '203.0.113.7')
  expect(made.map((each) => each.name).toSorted()).toEqual([`first.${name}`, `second.${name}`])
})

test('R-DNS-01 R-DNS-03 a record is edited inline, and content that is invalid for its type is rejected before it is sent', async ({
  mine,
  t,
}) => {
  const { id, name } = await zone()
  await add(id, { type: 'MX', name: 'in', content: 'mx.example.net', priority: 10 })
  await open(mine, id)
  await row(mine, `in.${name}`).locator('[data-column=content]').dblclick()
  const form = mine.getByRole('form')
  const content = form.getByLabel(t('records:column.content'))
  await expect(content).toBeFocused()
  await content.fill('198.51.100.4')
  await expect(form.getByText(t('faults:record_host_address'))).toBeVisible()
  await content.press('Escape')
  await expect(form).toBeHidden()
  await expect(row(mine, `in.${name}`)).toContainText('mx.example.net')

  await row(mine, `in.${name}`).locator('[data-column=priority]').dblclick()
  const priority = form.getByLabel(t('records:column.priority'))
  await expect(priority).toBeFocused()
  await priority.fill('20')
  await form.getByLabel(t('records:column.comment')).fill('почта')
  await mine.keyboard.press('Enter')
  await expect(form).toBeHidden()
  await expect(row(mine, `in.${name}`)).toContainText('20')
  await expect(row(mine, `in.${name}`)).toContainText('почта')
  expect(atCloudflare(name).find((each) => each.name === `in.${name}`)).toMatchObject({ priority: 20, comment: 'почта' })
})

test('R-DNS-01 a record that Cloudflare rejects shows its message at the row', async ({ mine, t }) => {
  const { id, name } = await zone()
  await add(id, { type: 'A', name: 'taken', content: '203.0.113.9' })
  await open(mine, id)
  await mine.getByRole('button', { name: t('records:add'), exact: true }).click()
  const form = mine.getByRole('form')
  await form.getByLabel(t('records:column.type')).selectOption('CNAME')
  await form.getByLabel(t('records:column.name')).fill('taken')
  await form.getByLabel(t('records:column.content')).fill('elsewhere.example.net')
  await form.getByLabel(t('records:column.content')).press('Enter')
  await expect(form.getByRole('alert')).toContainText(t('records:failed.create'))
  await expect(form.getByRole('alert')).toContainText('An A, AAAA, or CNAME record with that host already exists.')
  await expect(form.getByLabel(t('records:column.content'))).toHaveValue('elsewhere.example.net')
  expect(atCloudflare(name).filter((each) => each.name === `taken.${name}`)).toHaveLength(1)
})

test('R-DNS-01 when two people edit one record, the second sees the change and decides', async ({ mine, t }) => {
  const { id, name } = await zone()
  const { record } = await add(id, { type: 'A', name: 'shared', content: '203.0.113.1' })
  await open(mine, id)
  await row(mine, `shared.${name}`).locator('[data-column=content]').dblclick()
  await call('PATCH', `/zones/${id}/dns-records/${record.id}`, z.unknown(), { content: '203.0.113.2' })
  const form = mine.getByRole('form')
  await form.getByLabel(t('records:column.content')).fill('203.0.113.3')
  await mine.keyboard.press('Enter')
  await expect(form.getByRole('alert')).toContainText(t('records:conflict.title'))
  await expect(form.getByRole('alert')).toContainText('203.0.113.2')
  // Escape closes the question and keeps the input; saving asks again.
  await mine.keyboard.press('Escape')
  await expect(form.getByRole('alert')).toBeHidden()
  await expect(form.getByLabel(t('records:column.content'))).toHaveValue('203.0.113.3')
  await mine.keyboard.press('Enter')
  await expect(form.getByRole('alert')).toContainText(t('records:conflict.title'))
  await form.getByRole('button', { name: t('records:conflict.mine') }).click()
  await expect(form).toBeHidden()
  await expect(row(mine, `shared.${name}`)).toContainText('203.0.113.3')
  expect((await recordsOf(id)).find((each) => each.name === `shared.${name}`)?.content).toBe('203.0.113.3')
})

test('R-DNS-01 a deleted record is restored by undo', async ({ mine, t }) => {
  const { id, name } = await zone()
  await add(id, { type: 'SRV', name: '_sip._tcp', content: '5 5060 sip.example.net', priority: 7, comment: 'телефония' })
  await open(mine, id)
  const wanted = row(mine, `_sip._tcp.${name}`)
  await wanted.hover()
  await wanted.getByRole('button', { name: t('records:delete_record', { record: `SRV _sip._tcp.${name}` }) }).click()
  await expect(wanted).toBeHidden()
  await expect(mine.getByText(t('records:deleted_one_record', { record: `SRV _sip._tcp.${name}` }))).toBeVisible()
  expect(atCloudflare(name).some((each) => each.type === 'SRV')).toBe(false)
  await mine.getByRole('button', { name: t('records:undo'), exact: true }).click()
  await expect(wanted).toBeVisible()
  expect(atCloudflare(name).find((each) => each.type === 'SRV')).toMatchObject({ priority: 7, comment: 'телефония' })
})

test('R-DNS-02 the proxy is switched with one click, only where a record supports it, and for many records together', async ({
  mine,
  t,
}) => {
  const { id, name } = await zone()
  for (const label of ['one', 'two', 'three']) await add(id, { type: 'A', name: label, content: '203.0.113.20' })
  await add(id, { type: 'TXT', name: 'text', content: 'nothing to proxy' })
  await open(mine, id)
  const proxyOf = (label: string) => row(mine, `${label}.${name}`).getByRole('switch')
  await expect(proxyOf('text')).toHaveCount(0)
  await proxyOf('one').click()
  await expect(proxyOf('one')).toHaveAttribute('aria-checked', 'true')
  await expect.poll(() => atCloudflare(name).find((each) => each.name === `one.${name}`)?.proxied).toBe(true)

  await mine.keyboard.press('/')
  await mine.keyboard.type('203.0.113.20')
  await expect(row(mine, `text.${name}`)).toBeHidden()
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('records:bulk.proxy_on') })
    .click()
  await expect(proxyOf('three')).toHaveAttribute('aria-checked', 'true')
  await expect.poll(() => atCloudflare(name).filter((each) => each.content === '203.0.113.20' && each.proxied).length).toBe(3)
})

test('R-DNS-05 a pasted zone file is previewed before anything is sent', async ({ mine, t }) => {
  const { id, name } = await zone()
  await add(id, { type: 'A', name: 'kept', content: '203.0.113.30', ttl: 300 })
  const before = atCloudflare(name).length
  await open(mine, id)
  await mine.getByRole('button', { name: t('records:file.label') }).click()
  await mine.getByRole('menuitem', { name: t('records:file.import') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog
    .getByRole('textbox')
    .fill(`kept 300 IN A 203.0.113.30\nfresh 300 IN A 203.0.113.31\nwrong 300 IN A not-an-address\nmail IN MX 10 mx.example.net.\n`)
  await dialog.getByRole('button', { name: t('records:import.preview') }).click()
  const part = (which: 'added' | 'refused') => dialog.getByRole('button', { name: t(`records:import.part.${which}`) })
  await expect(part('added')).toContainText('2')
  await expect(part('refused')).toContainText('1')
  await part('refused').click()
  await expect(dialog.getByRole('listitem')).toContainText('wrong 300 IN A not-an-address')
  expect(atCloudflare(name)).toHaveLength(before)
  await dialog.getByRole('button', { name: t('records:import.run', { count: 2, formatted: '2' }) }).click()
  await expect(dialog).toBeHidden()
  await expect(row(mine, `fresh.${name}`)).toContainText('203.0.113.31')
  expect(atCloudflare(name).some((each) => each.name === `mail.${name}` && each.type === 'MX')).toBe(true)
})

test('R-DNS-05 an import with more than a thousand changes lists the first thousand and counts all', async ({ mine, t }) => {
  const { id } = await zone()
  await open(mine, id)
  await mine.getByRole('button', { name: t('records:file.label') }).click()
  await mine.getByRole('menuitem', { name: t('records:file.import') }).click()
  const dialog = mine.getByRole('dialog')
  const lines = Array.from({ length: 1_200 }, (_, index) => `many${index} 300 IN A 203.0.113.33`)
  await dialog.getByRole('textbox').fill(lines.join('\n'))
  await dialog.getByRole('button', { name: t('records:import.preview') }).click()
  const formatted = { shown: new Intl.NumberFormat('ru').format(1_000), formatted: new Intl.NumberFormat('ru').format(1_200) }
  await expect(dialog.getByRole('button', { name: t('records:import.part.added') })).toContainText(formatted.formatted)
  await expect(dialog.getByText(t('records:import.first', formatted))).toBeVisible()
  await dialog.getByRole('region', { name: t('records:import.part.added') }).evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
  await expect(dialog.getByRole('listitem').last()).toContainText('many999')
})

test('R-DNS-05 R-DNS-01 the record limit of the plan is reported before an import and where a record is added', async ({ mine, t }) => {
  const { data } = await call('GET', '/zones/live?status=active&limit=40', zones)
  const theirs = new Map([...deck().cloudflare.state.zonesById.values()].map((each) => [each.name, each]))
  const found = data.findLast(({ name: each }) => {
    const zoneOf = theirs.get(each)
    return zoneOf !== undefined && recordQuota(zoneOf) === 200
  })
  if (found === undefined) throw new Error('no domain has a small quota')
  const { id, name } = found
  const room = 200 - atCloudflare(name).length
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `full${index} 300 IN A 203.0.113.32`).join('\n')
  await open(mine, id)
  await mine.getByRole('button', { name: t('records:file.label') }).click()
  await mine.getByRole('menuitem', { name: t('records:file.import') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('textbox').fill(lines(room + 2))
  await dialog.getByRole('button', { name: t('records:import.preview') }).click()
  await expect(dialog.getByRole('alert')).toHaveText(t('records:import.full', { count: 2, formatted: '2', quota: '200' }))
  await dialog.getByRole('button', { name: t('records:import.back') }).click()
  await dialog.getByRole('textbox').fill(lines(room))
  await dialog.getByRole('button', { name: t('records:import.preview') }).click()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await dialog.getByRole('button', { name: t('records:import.run', { count: room, formatted: `${room}` }) }).click()
  await expect(dialog).toBeHidden()
  expect(atCloudflare(name)).toHaveLength(200)
  await mine.getByRole('button', { name: t('records:add'), exact: true }).click()
  await expect(mine.getByText(t('records:editor.full', { used: '200', quota: '200' }))).toBeVisible()
})

test('R-DNS-01 records are found, edited, added and deleted using only the keyboard', async ({ mine }) => {
  const { id, name } = await zone()
  await add(id, { type: 'A', name: 'keys', content: '203.0.113.40' })
  await open(mine, id)
  await mine.keyboard.press('/')
  await mine.keyboard.type('203.0.113.40')
  await expect(mine.getByRole('grid').locator('[role=row][data-id]')).toHaveCount(1)
  await mine.keyboard.press('Escape')
  await mine.keyboard.type('keys')
  await expect(mine).toHaveURL(/q=keys/)
  await mine.keyboard.press('Enter')
  await mine.keyboard.press('j')
  await mine.keyboard.press('Enter')
  await mine.keyboard.type('203.0.113.41')
  await mine.keyboard.press('Enter')
  await expect(row(mine, `keys.${name}`)).toContainText('203.0.113.41')
  await mine.keyboard.press('p')
  await expect(row(mine, `keys.${name}`).getByRole('switch')).toHaveAttribute('aria-checked', 'true')

  await mine.keyboard.press('n')
  await mine.keyboard.type('keys2')
  await mine.keyboard.press('Tab')
  await mine.keyboard.type('203.0.113.42')
  await mine.keyboard.press('Enter')
  await expect(row(mine, `keys2.${name}`)).toBeVisible()
  await mine.keyboard.press('Escape')
  await mine.keyboard.press('j')
  await mine.keyboard.press('Delete')
  await expect(row(mine, `keys2.${name}`)).toBeHidden()
  await expect.poll(() => atCloudflare(name).some((each) => each.name === `keys2.${name}`)).toBe(false)
})

test('R-DNS-01 a list that was requested before a record was added does not hide the record when it arrives', async ({ mine, t }) => {
  const { id, name } = await zone()
  await open(mine, id)
  await mine.getByRole('button', { name: t('records:add'), exact: true }).click()
  /** Holds back the requests of a procedure. */
  const hold = async (procedure: RegExp) => {
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    await mine.route(procedure, async (route) => {
      asked.resolve()
      const response = procedure.source.includes('create') ? undefined : await route.fetch()
      await released.promise
      // The page may have given up this request.
      await (response === undefined ? route.continue() : route.fulfill({ response })).catch(() => undefined)
      arrived.resolve()
    })
    return { asked: asked.promise, arrived: arrived.promise, release: released.resolve }
  }
  const adding = await hold(/trpc\/records\.create/)
  await mine.keyboard.type('late')
  await mine.keyboard.press('Tab')
  await mine.keyboard.type('203.0.113.50')
  await mine.keyboard.press('Enter')
  await adding.asked
  const list = await hold(/trpc\/[^?]*records\.list/)
  // A change made elsewhere makes the page read the list while the record is being added.
  await add(id, { type: 'A', name: 'elsewhere', content: '203.0.113.51' })
  await list.asked
  // Otherwise the next change event repairs the list.
  const details = await hold(/trpc\/[^?]*domains\.full/)
  adding.release()
  await expect(row(mine, `late.${name}`)).toBeVisible()
  await row(mine, `late.${name}`).evaluate((element) => {
    const grid = element.closest('[role=grid]')
    const text = 'late.'
    new MutationObserver(() => {
      if (grid?.textContent.includes(text) !== true) grid?.setAttribute('data-lost', text)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  list.release()
  await list.arrived
  details.release()
  await expect(row(mine, `elsewhere.${name}`)).toBeVisible()
  await expect(mine.getByRole('grid')).not.toHaveAttribute('data-lost')
})
