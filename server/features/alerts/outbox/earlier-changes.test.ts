import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { createTestAlerts, insertIncidents } from '#server/testing/alerts.ts'
import type { TestAlerts } from '#server/testing/alerts.ts'

let t: TestAlerts | null = null
afterEach(() => t?.close())

const cause = 'origin:192.0.2.7'
const patience = { timeout: 30_000 }
const minuteMs = 60_000

/** A person with one chat, and an operation that has just changed some domains. */
async function stage() {
  const panel = await createTestAlerts()
  t = panel
  const { services, owner } = panel
  const openedAt = new Date(Date.now() - 2 * minuteMs)
  const idOf = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, randomUUID()]))
  const down = (names: readonly string[]) =>
    insertIncidents(
      services,
      owner.user.id,
      names.map((name) => ({ name: `${name}.example`, cause, domainId: (idOf[name] ?? '') as never, openedAt })),
    )
  const changedAt = new Date(openedAt.getTime() - 3 * minuteMs).toISOString()
  const [operation] = await services.db.sql<{ id: string }[]>`
    insert into operations (owner_id, actor_name, kind, input, state, total, finished_at)
    values (${owner.user.id}, 'Ann', 'ip', '{}', 'done', 2, ${changedAt}) returning id`
  await services.db.sql`
    insert into operation_items (operation_id, position, zone_id, account_id, account_email, lane, name, state, plan, finished_at)
    select ${operation?.id ?? ''}, n, id, gen_random_uuid(), '', 'k', 'x', 'done', '{}', ${changedAt}
    from unnest(${[idOf['a'] ?? '', idOf['b'] ?? '']}::uuid[]) with ordinality as z (id, n)`
  return { panel, down, ledger: panel.telegram.state.ledger }
}

test('issue 23 an alert says what changed before and links to the incident, in the same message, also after others join', async () => {
  const { panel, down, ledger } = await stage()
  const [first] = await down(['a', 'b'])
  await panel.start()
  await expect.poll(() => ledger.length, patience).toBe(1)
  expect(ledger[0]?.text).toContain('\n3 min after an operation, Ann: 2 domains')
  const [message] = await panel.services.db.sql<{ body: object }[]>`select body from outbox`
  expect(message?.body).toMatchObject({ incidentId: first?.id, change: { source: 'operation', actor: 'Ann', domains: 2 } })
  await down(['c'])
  await expect.poll(() => ledger[0]?.text, patience).toContain('3 domains are down')
  expect(ledger[0]?.text).toContain('\n3 min after an operation, Ann: 2 domains')
  expect(ledger).toHaveLength(1)
}, 60_000)

test('issue 23 an alert about other domains, or without any change before, has no such line', async () => {
  const { panel, down, ledger } = await stage()
  await down(['c'])
  await panel.start()
  await expect.poll(() => ledger.length, patience).toBe(1)
  expect(ledger[0]?.text).not.toContain(' after ')
}, 60_000)

test('issue 23 an alert is sent even if the changes before cannot be read', async () => {
  const { panel, down, ledger } = await stage()
  await panel.services.db.sql`alter table provider_changes rename to unreadable`
  await down(['a', 'b'])
  await panel.start()
  await expect.poll(() => ledger.length, patience).toBe(1)
  expect(ledger[0]?.text).toContain('2 domains are down')
  expect(ledger[0]?.text).not.toContain(' after ')
}, 60_000)
