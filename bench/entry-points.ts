import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { readCursor } from '#server/features/domains/list/domain-cursor.ts'
import { listedRow, wholeRow } from '#server/features/domains/list/domain-row.repo.ts'
import { pageStatement } from '#server/features/domains/list/page-statement.repo.ts'
import type { Bench } from './bench.ts'
import { seedDomains } from './domain-cases.ts'
import { load } from './load.ts'
import type { Load } from './load.ts'
import { startChild, startDatabase, startPanel } from './panel.ts'

const clients = 4
const forMs = 1_000
const turns = 4
/** Different pages, because concurrent requests for the same one share its query. */
const pagesInTurn = 40
const byName = { by: 'name', direction: 'asc' } as const

const urlOf = (origin: string, path: string, input: object) => `${origin}/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`

/** The cursors of the first pages; null for the first. */
async function readCursors(origin: string, headers: Readonly<Record<string, string>>): Promise<(string | null)[]> {
  const cursors: (string | null)[] = [null]
  while (cursors.length < pagesInTurn) {
    const cursor = cursors.at(-1)
    const answer = await fetch(urlOf(origin, 'domains.rows', { limit: 50, ...(typeof cursor === 'string' && { cursor }) }), { headers })
    const { result } = (await answer.json()) as { result: { data: { nextCursor: string } } }
    cursors.push(result.data.nextCursor)
  }
  return cursors
}

export const entryPoints: Bench = {
  about: 'pages of 50 of 100,000 domains over tRPC and REST, and the health check, each beside a bare Fastify route',
  async run(report) {
    const database = await startDatabase()
    const { owner } = await seedDomains(database.db)
    const panel = await startPanel(database)
    const origin = new URL(panel.url).origin
    const headers = { authorization: `Bearer ${owner.token}` }
    const cursors = await readCursors(origin, headers)
    const statementsOf = (shape: typeof listedRow | typeof wholeRow) =>
      cursors.map((cursor) => {
        const after = cursor === null ? null : readCursor(byName, cursor)
        return pageStatement({ owners: [owner.id], shared: null }, { filter: {}, sort: byName, after, limit: 51 }, shape)
      })
    const config = join(database.dataDir, 'bare.json')
    await writeFile(config, JSON.stringify({ url: database.url, statements: [...statementsOf(listedRow), ...statementsOf(wholeRow)] }))
    const bare = await startChild('bench/bare-server.ts', [config])
    const place = (cursor: string | null) => (cursor === null ? {} : { cursor })
    const measured = {
      rows: { urls: cursors.map((cursor) => urlOf(origin, 'domains.rows', { limit: 50, ...place(cursor) })), headers },
      bareRows: { urls: cursors.map((_, index) => `${bare.url}/${index}`), headers: {} },
      rest: {
        urls: cursors.map((cursor) => `${origin}/api/zones/live?${new URLSearchParams({ limit: '50', ...place(cursor) }).toString()}`),
        headers,
      },
      bareWhole: { urls: cursors.map((_, index) => `${bare.url}/${index + cursors.length}`), headers: {} },
      health: { urls: [`${origin}/api/health`], headers: {} },
      bareHealth: { urls: [`${bare.url}/`], headers: {} },
    }
    const names = ['rows', 'bareRows', 'rest', 'bareWhole', 'health', 'bareHealth'] as const
    const found: Record<(typeof names)[number], Load[]> = { rows: [], bareRows: [], rest: [], bareWhole: [], health: [], bareHealth: [] }
    const run = (name: (typeof names)[number], ms: number) => load(measured[name].urls, measured[name].headers, clients, ms)
    try {
      for (const name of names) await run(name, 2_000)
      // Alternates, so that other load on the machine affects all equally.
      for (let turn = 0; turn < turns; turn += 1) for (const name of names) found[name].push(await run(name, forMs))
      const perSecond = (name: (typeof names)[number]) => found[name].reduce((sum, each) => sum + each.perSecond, 0) / turns
      const bytes = (name: (typeof names)[number]) => found[name][0]?.bytes ?? Number.NaN
      const loadAverage = Number(loadavg()[0]?.toFixed(1))
      const besidePeer = (name: string, own: 'rows' | 'rest', peer: 'bareRows' | 'bareWhole') => {
        report({
          name: `${name}: beside a bare route`,
          value: perSecond(own),
          unit: '/s',
          against: { kind: 'at least', value: perSecond(peer) * 0.7, what: '70 % of a bare route with the same columns' },
          more: { peer: Math.round(perSecond(peer)), peerBytes: Math.round(bytes(peer)), loadAverage },
        })
      }
      report({
        name: 'a page over tRPC',
        value: perSecond('rows'),
        unit: '/s',
        against: { kind: 'at least', value: 1_000, what: `${clients} clients` },
        more: { loadAverage },
      })
      besidePeer('a page over tRPC', 'rows', 'bareRows')
      report({
        name: 'a page over tRPC: size',
        value: bytes('rows') / 1000,
        unit: 'kB',
        against: { kind: 'at most', value: 16, what: 'uncompressed' },
      })
      report({
        name: 'a row over tRPC',
        value: bytes('rows') / 50,
        unit: 'bytes',
        against: { kind: 'at most', value: 300, what: 'uncompressed' },
      })
      besidePeer('a page with all fields over REST', 'rest', 'bareWhole')
      const { bytes: compressed } = await load(measured.rest.urls, { ...headers, 'accept-encoding': 'gzip' }, clients, forMs)
      report({
        name: 'a page with all fields over REST: size',
        value: compressed / 1000,
        unit: 'kB',
        against: { kind: 'at most', value: 16, what: 'gzip' },
        more: { uncompressedKb: Math.round(bytes('rest') / 1000) },
      })
      report({
        name: 'the health check',
        value: perSecond('health'),
        unit: '/s',
        against: { kind: 'at least', value: 12_000, what: `${clients} clients` },
        more: { bare: Math.round(perSecond('bareHealth')), loadAverage },
      })
    } finally {
      await panel.stop()
      await bare.stop()
      await database.close()
    }
  },
}
