import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { canary, canaryPassword, columns, createCells, fingerprintOf } from '#server/testing/access-cells.ts'
import type { Cell, Column, Things } from '#server/testing/access-cells.ts'
import { createLog } from '#server/platform/log.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'
import type { ProcedureInfo } from '#server/transports/trpc/list-procedures.ts'
import type { DnsHost } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { Level } from '#shared/features/sharing/rules.ts'

type Input = (theirs: Things) => object

/**
 * Who may call a procedure on somebody's things. `level` is the least that these have to be shared at (`own`: seen through a share and yet not
 * allowed); `private`: no share reaches them, so that to others they are not there.
 */
interface Row {
  readonly who: 'public' | 'user' | 'admin'
  readonly level: Level | 'private'
  /** An input that names the owner's things; absent where an input can name nothing. */
  readonly of?: Input
  /** To others the thing is not found; for `each` of several it is said of that one. Absent: they are answered, about their own things. */
  readonly one?: 'whole' | 'each'
  /** Only for a person in the browser, never for a token. */
  readonly session?: true
  /** Its answer is a secret of the owner's. */
  readonly reveals?: true
}

const anybody: Row = { who: 'public', level: 'private' }
/** Of administrators alone. */
const administrators = (of?: Input): Row => ({ who: 'admin', level: 'private', ...(of && { of }) })
/** About many things, or about none: everybody is answered about what they may see. */
const ownerOf = (of?: Input, level: Row['level'] = 'private'): Row => ({ who: 'user', level, ...(of && { of }) })
/** One thing by its id: somebody else's is not found. */
const ownerOfOne = (of: Input, level: Row['level'] = 'private'): Row => ({ who: 'user', level, of, one: 'whole' })
const inBrowser = (row: Row): Row => ({ ...row, session: true })

const filter = ({ accountId, userId }: Things) => ({ filter: { accountIds: [accountId], ownerId: userId } })
const ownerId = ({ userId }: Things) => ({ ownerId: userId })
const user = ({ userId }: Things) => ({ id: userId })
const account = ({ accountId }: Things) => ({ id: accountId })
const someAccounts = ({ accountId }: Things) => ({ ids: [accountId] })
const zone = ({ zoneId }: Things) => ({ id: zoneId })
const group = ({ groupId }: Things) => ({ id: groupId })
const profile = ({ profileId }: Things) => ({ id: profileId })
const operation = ({ operationId }: Things) => ({ id: operationId })
const share = ({ shareId }: Things) => ({ id: shareId })
const creation = ({ accountId }: Things) => ({ domains: ['new.com'], accountIds: [accountId], ipAddress: '192.0.2.9' })
const A = { type: 'A', name: 'www', content: '192.0.2.9' }

/** Whoever gets as far as asking the provider has passed what is tested here. */
const dnsHost: DnsHost = {
  connect: () => {
    throw new AppError('provider_unavailable')
  },
  readBudgets: () => Promise.reject(new AppError('provider_unavailable')),
  close: () => Promise.resolve(),
}

const logged: string[] = []
let t: TestApp
beforeAll(async () => {
  t = await createTestApp({ dnsHost, log: createLog('trace', { write: (line) => void logged.push(line) }) })
})
afterAll(() => t.close())

/** What somebody is told who may not; everything else has let them through. */
const refusals = ['unauthorized', 'forbidden', 'not_found', 'level_too_low', 'read_only_token', 'session_only'] as const
type Verdict = (typeof refusals)[number] | 'let through'

function verdictOf({ who, level, one, session }: Row, type: ProcedureInfo['type'], column: Column): Verdict {
  if (who === 'public') return 'let through'
  if (column === 'anonymous') return 'unauthorized'
  const changes = type === 'mutation'
  if (who === 'admin')
    return column === 'admin' ? 'let through' : column === 'adminToken' ? (changes ? 'session_only' : 'let through') : 'forbidden'
  if (session && /Token$/.test(column)) return 'session_only'
  if (column === 'readToken' && changes) return 'read_only_token'
  if (one !== 'whole') return 'let through'
  if (column === 'other') return 'not_found'
  if (!isShared(column)) return 'let through'
  return level === 'private' ? 'not_found' : isAtLeast(shared[column], level) ? 'let through' : 'level_too_low'
}

const shared = { viewer: 'view', operator: 'operate', manager: 'manage' } as const
const isShared = (column: Column): column is keyof typeof shared => column in shared

/** Whether the owner's things may be told of in the answer. */
const maySee = ({ who, level }: Row, column: Column) =>
  column !== 'anonymous' && column !== 'other' && (who === 'admin' ? /^admin/.test(column) : !isShared(column) || level !== 'private')

interface Answer {
  readonly status: number
  readonly body: string
}

function verdictOn({ status, body }: Answer, row: Row): string {
  const code = /"code":"([a-z_]+)"/.exec(body)?.[1]
  if (status < 400) return 'let through'
  if (code === undefined) return `answered ${status} without a code`
  const known: readonly string[] = refusals
  // An input that is refused proves nothing about who may give it.
  if (known.includes(code) || code === 'internal' || (row.of !== undefined && /validation_failed|malformed_request/.test(code))) return code
  return 'let through'
}

/** What must not be in an answer, for whoever asked. What they said themselves may be repeated to them. */
function shownIn({ body }: Answer, row: Row, { column, things }: Cell, input: object): string[] {
  const hidden =
    row.reveals === true && (column === 'owner' || column === 'admin') ? [] : [canary, '$argon2', '"v1.', 'Sealed', 'passwordHash']
  const { activityId: _, recordId: _record, ...names } = things
  const theirs = maySee(row, column) ? [] : Object.values(names).filter((value) => !JSON.stringify(input).includes(value))
  return [...hidden, ...theirs].filter((text) => body.includes(text))
}

/** One procedure, as everybody asks it in turn. */
async function judge(row: Row, type: ProcedureInfo['type'], ask: (cell: Cell, input: object) => Promise<Answer>) {
  const found: [Column, string][] = []
  for (const cell of await createCells(t.services)) {
    const input = row.of?.(cell.things) ?? {}
    const before = await fingerprintOf(t.services, cell.things)
    const answer = await ask(cell, input)
    let verdict = verdictOn(answer, row)
    if (row.one === 'each' && cell.column === 'other' && !answer.body.includes('"not_found"')) verdict = 'was not told that it is not there'
    const shown = shownIn(answer, row, cell, input)
    const touched = (verdict !== 'let through' || cell.column === 'other') && before !== (await fingerprintOf(t.services, cell.things))
    found.push([cell.column, `${verdict}${shown.length === 0 ? '' : `, shows ${shown.join(', ')}`}${touched ? ', changes' : ''}`])
  }
  return Object.fromEntries(found)
}

const expected = (row: Row, type: ProcedureInfo['type']) =>
  Object.fromEntries(columns.map((column) => [column, verdictOf(row, type, column)]))
const rowOf = (path: string): Row => {
  const row = rows[path]
  if (row === undefined) throw new Error(`${path} has no row`)
  return row
}

test('R-PRM-02 every procedure of the live router has its row here', () => {
  expect(
    listProcedures()
      .map((procedure) => procedure.path)
      .toSorted(),
  ).toEqual(Object.keys(rows))
})

const procedures = listProcedures().filter(({ path }) => path in rows)
const calls = procedures.filter(({ type }) => type !== 'subscription')

test.each(calls)('R-PRM-02 $path lets through whom it should, and shows and changes nothing to others', async ({ path, type }) => {
  const row = rowOf(path)
  const verdicts = await judge(row, type, async ({ headers }, input) => {
    const answer =
      type === 'mutation'
        ? await t.app.inject({ method: 'POST', url: `/trpc/${path}`, headers, payload: input })
        : await t.app.inject({ url: `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`, headers })
    return { status: answer.statusCode, body: answer.body }
  })
  expect(verdicts).toEqual(expected(row, type))
})

test.each(listRestRoutes())('R-PRM-02 $method $url does as the procedure behind it', async ({ method, url, path, type }) => {
  const row = rowOf(path)
  const verdicts = await judge(row, type, async ({ headers, column }, given) => {
    const input = given as Readonly<Record<string, unknown>>
    const target = url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name] ?? crypto.randomUUID())))
    const query = Object.entries(input).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)])
    const answer =
      method === 'GET'
        ? await t.app.inject({ url: `${target}?${new URLSearchParams(query)}`, headers })
        : await t.app.inject({ method, url: target, headers: { ...headers, 'idempotency-key': `${path} ${column}` }, payload: input })
    return { status: answer.statusCode, body: answer.body }
  })
  expect(verdicts).toEqual(expected(row, type))
})

// A subscription's refusal is its first event; the stream itself has begun.
test.each(procedures.filter(({ type }) => type === 'subscription'))('R-PRM-02 $path asks who it is', async ({ path }) => {
  expect((await t.app.inject(`/trpc/${path}?input={}`)).body).toContain('"code":"unauthorized"')
})

test.each(['Bearer', 'Bearer x', 'Basic YTpi', 'bearer null', `Bearer ${'x'.repeat(600)}`])(
  'a header that is no session (%s) is nobody',
  async (authorization) => {
    const answer = await t.app.inject({ url: '/api/auth/me', headers: { authorization } })
    expect(answer.statusCode).toBe(401)
  },
)

describe('after all of that', () => {
  test('R-PRM-04 no line of the log has a secret in it', () => {
    expect(logged.length).toBeGreaterThan(1_000)
    expect(logged.filter((line) => line.includes(canary) || line.includes(canaryPassword) || line.includes('$argon2'))).toEqual([])
  })

  test('R-PRM-04 no table has a secret in it that can be read', async () => {
    const { sql } = t.services.db
    const tables = await sql<{ name: string }[]>`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      const found = await sql.unsafe(`select x::text as row from ${name} x where x::text like '%${canary}%'`)
      expect([name, found]).toEqual([name, []])
    }
  })
})
