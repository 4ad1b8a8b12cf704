import { basename } from 'node:path'
import { chromium } from 'playwright'
import type { Browser, Page } from 'playwright'
import { z } from 'zod'
import { compactCounts } from '#server/features/domains/list/counts.repo.ts'
import { apiKeyContext } from '#server/features/sync/index.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { user } from '#shared/features/auth/schema.ts'
import { chromiumPath } from '../e2e/chromium.ts'
import type { Bench } from './bench.ts'
import { percentile } from './bench.ts'
import { insertOwner, startDatabase, startPanel } from './panel.ts'
import type { BenchDatabase } from './panel.ts'

const records = 5_000
const key = Buffer.alloc(32, 7)
const turns = 5

/** A zone with many different records of the usual types. */
async function seedRecords({ db }: BenchDatabase, ownerId: string): Promise<string> {
  const { accountIds } = await seedZones(db, { ownerId, count: 20, accounts: 1 })
  const [accountId = ''] = accountIds
  const encrypted = createSecrets(key).encrypt('not asked for', apiKeyContext(accountId))
  await db.sql`update accounts set api_key_sealed = ${encrypted}, next_sync_at = now() + interval '1 day' where id = ${accountId}`
  const [zone] = await db.sql<{ id: string }[]>`
    update zones set records_read_at = now(), settings_read_at = now(), listed_at = now(), records_count = ${records}
    where id = (select id from zones order by name limit 1) returning id`
  if (zone === undefined) throw new Error('no zone')
  await db.sql`
    insert into dns_records (zone_id, record_id, type, name, content, ttl, proxied, proxiable, priority, comment)
    select z.id, md5(i::text), r.type, 'host-' || i || '.' || z.name,
      case r.type when 'A' then '203.0.' || i / 250 || '.' || i % 250 when 'MX' then 'mail-' || i || '.example.net'
        when 'TXT' then '"verification=' || md5('v' || i) || '"' else 'target-' || i || '.example.net' end,
      case when i % 3 = 0 then 300 else 1 end, r.type = 'A' and i % 2 = 0, r.type in ('A', 'CNAME'),
      case when r.type = 'MX' then i % 50 end, case when i % 10 = 0 then 'campaign ' || i % 7 end
    from zones z, (select i, (array['A', 'A', 'A', 'CNAME', 'TXT', 'MX'])[1 + i % 6] as type from generate_series(1, ${records}::int) i) r
    where z.id = ${zone.id}`
  while ((await compactCounts(db)) > 0);
  await db.sql`vacuum analyze`
  return zone.id
}

const rowsShown = `document.querySelector('[role=grid] [role=row][data-id]')?.textContent.includes('host-')`

/** A page that records when rows first appear, and how long each keystroke takes until the filtered list is painted. */
async function open(browser: Browser, stored: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(`
    localStorage.setItem('zonedeck.auth', ${JSON.stringify(stored)})
    const look = () => { if (${rowsShown}) window.firstRowsAt = performance.now(); else requestAnimationFrame(look) }
    requestAnimationFrame(look)
    window.answers = []
    let typedAt = null
    // Other keys, such as the one that clears the field, are not measured.
    addEventListener('keydown', (event) => { typedAt = event.key.length === 1 ? event.timeStamp : null }, true)
    new MutationObserver((changes) => {
      if (typedAt === null || !changes.some(({ attributeName }) => attributeName === 'aria-rowcount')) return
      const since = typedAt
      typedAt = null
      // What was requested in a frame has been painted when the next message is handled.
      requestAnimationFrame(() => {
        const painted = new MessageChannel()
        painted.port1.onmessage = () => window.answers.push(performance.now() - since)
        painted.port2.postMessage(null)
      })
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['aria-rowcount'] })`)
  return context.newPage()
}

async function firstRowsAt(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => (globalThis as { firstRowsAt?: number }).firstRowsAt, undefined, { timeout: 60_000 })
  return z.number().parse(await handle.jsonValue())
}

export const recordsPage: Bench = {
  about: `the DNS records of a domain with ${records} records, in Chromium; needs npm run build`,
  async run(report) {
    const database = await startDatabase()
    const owner = await insertOwner(database.db)
    const domainId = await seedRecords(database, owner.id)
    const panel = await startPanel(database, { SECRET_KEY: key.toString('base64') })
    const origin = new URL(panel.url).origin
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
    try {
      const answer = await fetch(`${origin}/api/auth/me`, { headers: { authorization: `Bearer ${owner.token}` } })
      const me = z.object({ user }).parse(await answer.json())
      const stored = JSON.stringify({ token: owner.token, user: me.user, isAuthenticated: true })
      const cold: number[] = []
      const within: number[] = []
      const keys: number[] = []
      for (let turn = 0; turn < turns; turn += 1) {
        const page = await open(browser, stored)
        await page.goto(`${origin}/domains/${domainId}/records`)
        cold.push(await firstRowsAt(page))
        await page.context().close()
      }
      for (let turn = 0; turn < turns; turn += 1) {
        const page = await open(browser, stored)
        await page.goto(`${origin}/domains/${domainId}`)
        await page.locator('a[href$="/records"]').first().waitFor()
        await page.waitForTimeout(1_000)
        const began = z
          .number()
          .parse(
            await page.evaluate(
              `(() => { const began = performance.now(); document.querySelector('a[href$="/records"]').click(); return began })()`,
            ),
          )
        within.push((await firstRowsAt(page)) - began)
        await page.keyboard.press('/')
        for (const word of ['host-4321', 'mail-2', 'verification', 'campaign 3']) {
          // Each keystroke reduces the rows as long as possible.
          await page.keyboard.type(word, { delay: 90 })
          await page.keyboard.press('Escape')
          await page.waitForTimeout(250)
        }
        keys.push(...z.array(z.number()).parse(await page.evaluate('window.answers')))
        await page.context().close()
      }
      const rows = [
        [
          `opened from the domain's overview, to first rows: median of ${turns}`,
          percentile(within, 0.5),
          500,
          `limit, ${basename(chromiumPath())}`,
        ],
        [`navigation to first rows, nothing cached: median of ${turns}`, percentile(cold, 0.5), 1_000, 'as for the list of domains'],
        [`a key typed into the search, to the painted answer: median of ${keys.length}`, percentile(keys, 0.5), 50, 'limit'],
        [`the same, 95th percentile`, percentile(keys, 0.95), 50, 'limit'],
      ] as const
      for (const [name, value, most, what] of rows) report({ name, value, unit: 'ms', against: { kind: 'at most', value: most, what } })
    } finally {
      await browser.close()
      await panel.stop()
      await database.close()
    }
  },
}
