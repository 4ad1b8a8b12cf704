import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import faultTexts from '#shared/i18n/locales/en/faults.json' with { type: 'json' }
import validation from '#shared/i18n/locales/en/validation.json' with { type: 'json' }

let t: TestApp
let admin: SignedIn
beforeAll(async () => {
  t = await createTestApp()
  admin = await signIn(t.services, { role: 'admin' })
})
afterAll(() => t.close())

type Schema = z.core.JSONSchema.BaseSchema

/** Values that few fields accept, and some that many fields accept. */
const faults: readonly unknown[] = [null, '', ' ', 'x', 'x'.repeat(20_000), '\u0007', -1, 1.5, 1e12, true, {}, [], [null], { a: 1 }]

/** An input of this shape with the invalid value in each field, at any depth. */
function corrupt(schema: Schema, fault: unknown, depth = 0): unknown {
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (schema.properties !== undefined && depth < 4) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [
        name,
        typeof member === 'object' ? corrupt(member, fault, depth + 1) : fault,
      ]),
    )
  }
  const { items } = schema
  if (typeof items === 'object' && !Array.isArray(items) && depth < 4) return [corrupt(items, fault, depth + 1)]
  if (first !== undefined && typeof first === 'object') return corrupt(first, fault, depth)
  return fault
}

/** Pattern of each message with its values filled in. */
const texts = { ...validation, ...faultTexts }
const known = Object.values(texts).map(
  (text) =>
    new RegExp(
      `^${text
        .split(/\{\{\w+\}\}/)
        .map((part) => part.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&'))
        .join('[^{}]+')}$`,
      's',
    ),
)

interface Refusal {
  readonly code: string
  readonly issues?: readonly { readonly path: string; readonly message: string }[]
}

async function send(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Refusal> {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const named = new Set([...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name))
  const target = url.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(
      text(input[name] ?? 'x')
        .slice(0, 90)
        .trim() || 'x',
    ),
  )
  const rest = Object.entries(input).filter(([name]) => !named.has(name))
  const headers = { ...admin.headers, accept: 'application/json' }
  const answer =
    method === 'GET'
      ? await t.app.inject({
          url: target,
          query: Object.fromEntries(rest.map(([name, value]) => [name, text(value).slice(0, 5_000)])),
          headers,
        })
      : await t.app.inject({ method, url: target, payload: Object.fromEntries(rest), headers })
  return answer.body === '' ? { code: 'done' } : answer.json<Refusal>()
}

const routes = listRestRoutes().flatMap((route) =>
  route.input === undefined ? [] : [{ ...route, schema: z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' }) as Schema }],
)

test.each(routes)('R-I18-04 $method $url reports invalid input only with messages of the catalog', async ({ method, url, schema }) => {
  const answers = [await send(method, url, {}), await send(method, url, { unknown: 1 })]
  for (const fault of faults) {
    const input = corrupt(schema, fault)
    if (typeof input === 'object' && input !== null) answers.push(await send(method, url, input as Record<string, unknown>))
  }
  const messages = answers.flatMap(({ issues = [] }) => issues.map(({ path, message }) => `${path}: ${message}`))
  expect(messages.filter((message) => !known.some((text) => text.test(message.slice(message.indexOf(': ') + 2))))).toEqual([])
  expect(answers.some(({ code }) => code === 'validation_failed' || code === 'not_found')).toBe(true)
  expect(answers.filter(({ code }) => code === 'internal')).toEqual([])
})

/** Messages that only cross-field rules produce. */
test.each<[method: 'POST' | 'PATCH' | 'GET' | 'DELETE', url: string, input: Record<string, unknown>, message: string]>([
  ['POST', '/api/zones/bulk-update-settings', { ids: [crypto.randomUUID()], settings: {} }, 'Select at least one setting to change'],
  ['POST', '/api/zones/bulk-dns', { ids: [crypto.randomUUID()], delete: {} }, texts.select_filter],
  ['POST', '/api/zones/bulk-dns', { ids: [crypto.randomUUID()] }, texts.add_or_delete],
  ['PATCH', `/api/zones/${crypto.randomUUID()}/settings`, {}, 'Select at least one setting to change'],
  ['POST', `/api/zones/${crypto.randomUUID()}/purge-cache`, {}, texts.purge_choice],
  ['POST', '/api/auth/register', { email: 'a@b.example', password: 'one one', passwordConfirmation: 'another' }, 'Passwords do not match'],
  ['POST', '/api/auth/login', { email: 'nobody', password: 'secret' }, 'Invalid email format'],
  ['POST', '/api/zones', { domainName: 'a.com', accountId: crypto.randomUUID(), ipAddress: 'x' }, 'Invalid IP address format'],
  ['POST', '/api/zones/bulk-create', { domains: ['a.com'], accountIds: [] }, texts.select_account],
  ['POST', '/api/accounts/bulk-create', { text: '' }, 'No valid items found'],
  ['GET', '/api/zones/live', { cursor: 'nonsense' }, texts.invalid_cursor],
  ['GET', '/api/zones/live', { status: 'nonsense' }, 'Accepted values: active, pending, error, initializing'],
  ['GET', '/api/zones/live', { ssl: 'nonsense' }, 'Accepted values: off, flexible, full, strict, origin_pull, on'],
  ['GET', '/api/activity-logs', { entityType: 'x' }, expect.stringMatching(/^Accepted values: zone, account, .*tracker/)],
  [
    'POST',
    '/api/operations',
    { request: { kind: 'x', input: {} }, target: { ids: [] } },
    expect.stringMatching(/^Accepted values: settings, ip, /),
  ],
  ['DELETE', `/api/zones/${crypto.randomUUID()}?preview=maybe`, { name: 'a.com' }, 'Accepted values: true, false'],
])('R-I18-04 %s %s %j: %s', async (method, url, input, message) => {
  const { issues } = await send(method, url, input)
  expect(issues?.map((issue) => issue.message)).toEqual(expect.arrayContaining([message]))
})

test('R-I18-04 tRPC reports the same issues, with text in the person’s language', async () => {
  const answer = await t.app.inject({ method: 'POST', url: '/trpc/domains.list', headers: admin.headers, payload: { sort: { by: 'x' } } })
  expect(answer.json()).toMatchObject({
    error: {
      data: {
        issues: [{ path: 'sort.by', message: 'invalid_choice', params: { values: expect.stringContaining('name, status') as unknown } }],
      },
    },
  })
})
