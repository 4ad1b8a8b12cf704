import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildApp } from '#server/app.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { createOpenApiValidator } from '#server/testing/openapi-validator.ts'
import type { OpenApiValidator, OpenApiDocument } from '#server/testing/openapi-validator.ts'
import { insertGroup, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { previews } from '#server/transports/rest/previews.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import type { JsonSchema } from '#server/transports/rest/write-type.ts'
import { errorCatalog } from '#shared/errors/codes.ts'

let panel: TestPanel
let app: Awaited<ReturnType<typeof buildApp>>
let anna: SignedIn
let document: OpenApiDocument
let raw: { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
let validateResponse: OpenApiValidator['validateResponse']
let domainId = ''
let groupId = ''
beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 5, accounts: 2 } })
  app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
  anna = await signIn(panel.services)
  raw = (await app.inject('/api/openapi.json')).json()
  ;({ document, validateResponse } = createOpenApiValidator(raw))
  const { email, globalKey } = panel.credential(1)
  const { account } = await anna.call.accounts.add({ email, apiKey: globalKey })
  const [zone] = await insertZones(panel.services.db, { ownerId: anna.user.id, accountId: account.id }, 1)
  domainId = zone?.id ?? ''
  groupId = (await insertGroup(panel.services.db, { ownerId: anna.user.id })).id
})
afterAll(async () => {
  await app.close()
  await panel.close()
})

type Call = readonly [
  route: string,
  status: number,
  call: (id: { zone: string; group: string }) => { url?: string; payload?: unknown; signedOut?: true },
]

const password = 'correct horse battery'
const nobody = crypto.randomUUID()
test.each<Call>([
  ['GET /health', 200, () => ({})],
  [
    'POST /auth/register',
    200,
    () => ({ payload: { email: 'new@example.com', password, passwordConfirmation: password }, signedOut: true }),
  ],
  ['POST /auth/login', 401, () => ({ payload: { email: 'new@example.com', password: 'another one' }, signedOut: true })],
  ['POST /auth/login', 415, () => ({ payload: 'text', signedOut: true })],
  ['GET /auth/me', 200, () => ({})],
  ['GET /auth/me', 401, () => ({ signedOut: true })],
  ['GET /accounts', 200, () => ({})],
  ['POST /accounts', 201, () => ({ payload: { email: panel.credential(0).email, apiKey: panel.credential(0).globalKey } })],
  ['POST /accounts', 400, () => ({ payload: { email: 'nobody' } })],
  ['POST /accounts', 409, () => ({ payload: { email: panel.credential(0).email, apiKey: panel.credential(0).globalKey } })],
  ['POST /accounts', 422, () => ({ payload: { email: 'nobody@example.com', apiKey: 'wrong-key' } })],
  ['POST /accounts/bulk-create', 200, () => ({ payload: { text: 'nothing good' } })],
  ['GET /zones/live', 200, () => ({})],
  ['GET /zones/live', 400, () => ({ url: '/zones/live?staus=active' })],
  ['GET /zones/{id}', 200, ({ zone }) => ({ url: `/zones/${zone}` })],
  ['GET /zones/{id}', 404, () => ({ url: `/zones/${nobody}` })],
  ['GET /zones/{id}/dns-records', 200, ({ zone }) => ({ url: `/zones/${zone}/dns-records` })],
  ['DELETE /zones/{id}', 200, ({ zone }) => ({ url: `/zones/${zone}?preview=true` })],
  ['PATCH /zones/{id}/group', 200, ({ zone }) => ({ url: `/zones/${zone}/group?preview=true`, payload: { groupId: null } })],
  ['POST /zones/bulk-dns', 400, () => ({ payload: { ids: [nobody] } })],
  ['GET /groups', 200, () => ({})],
  ['POST /groups', 201, () => ({ payload: { name: 'one' } })],
  ['DELETE /groups/{id}', 204, ({ group }) => ({ url: `/groups/${group}` })],
  ['GET /users', 403, () => ({})],
  ['GET /activity-logs', 200, () => ({})],
  ['GET /activity-logs/export', 200, () => ({ url: '/activity-logs/export?format=json' })],
  ['GET /activity-logs/export', 400, () => ({ url: '/activity-logs/export?format=xml' })],
  ['GET /operations', 200, () => ({})],
])('R-API-02 %s answers %i as the OpenAPI document says', async (route, status, call) => {
  const [method = '', path = ''] = route.split(' ')
  const { url = path, payload, signedOut } = call({ zone: domainId, group: groupId })
  const answer = await app.inject({
    method: method as 'GET',
    url: `/api${url}`,
    headers: { ...(signedOut ? {} : anna.headers), ...(typeof payload === 'string' && { 'content-type': 'text/plain' }) },
    ...(payload !== undefined && { payload: payload as object }),
  })
  expect([answer.statusCode, answer.body]).toEqual([status, answer.body])
  expect(validateResponse(route, status, answer.body === '' ? '' : answer.json())).toEqual([])
})

test('R-API-02 every route documents its one success status, and every failure uses the same error schema', () => {
  for (const { path: procedure, method, url, status } of listRestRoutes()) {
    const path = url.replace('/api', '').replaceAll(/:(\w+)/g, '{$1}')
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
    expect(Object.keys(responses).filter((given) => Number(given) < 400)).toEqual([
      ...new Set([...(previews.has(procedure) ? ['200'] : []), String(status)]),
    ])
    const failures = Object.entries(responses).filter(([given]) => Number(given) >= 400)
    expect(failures.map(([given, described]) => [given, described])).toEqual(
      failures.map(([given]) => [given, { $ref: `#/components/responses/${given}` }]),
    )
  }
})

const verbs =
  'Acknowledge Add Adopt Apply Assign Attach Bind Buy Cancel Change Check Complete Count Create Delete Detach Disable Discard Duplicate Enable Exclude Export Get Issue Keep List Look Mark Mute Pause Preview Purge Reconcile Refresh Register Remove Replace Reschedule Reset Resume Retry Reveal Revert Revoke Search Send Set Share Sign Start Sync Test Turn Unbind Update'.split(
    ' ',
  )
const described = z.looseObject({
  summary: z.string(),
  tags: z.array(z.string()),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.string(),
        description: z.string().default(''),
        schema: z.record(z.string(), z.unknown()),
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: z.custom<JsonSchema>(), example: z.unknown().optional() }) }) })
    .optional(),
})
const operations = () =>
  Object.entries(raw.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ name: `${method} ${path}`, ...described.parse(each) })),
  )

/** Paths of the properties without a description. */
function undescribed({ properties = {}, items, anyOf = [], oneOf = [], allOf = [] }: JsonSchema, at = ''): string[] {
  const own = Object.entries(properties).flatMap(([name, member]) => [
    ...(member.description === undefined ? [`${at}.${name}`] : []),
    ...undescribed(member, `${at}.${name}`),
  ])
  return [...own, ...[...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])].flatMap((each) => undescribed(each, at))]
}

test('R-API-02 every summary starts with a verb in the imperative, ends without a period and is unique', () => {
  const summaries = operations().map(({ summary }) => summary)
  expect(summaries.filter((summary) => !verbs.includes(/^\w+/.exec(summary)?.[0] ?? '') || summary.endsWith('.'))).toEqual([])
  expect(summaries.filter((summary, index) => summaries.indexOf(summary) !== index)).toEqual([])
})

test('R-API-02 every operation has a tag with a description, every parameter and body property has a description', () => {
  const tags = z.object({ tags: z.array(z.object({ name: z.string(), description: z.string().min(10) })) }).parse(document).tags
  const used = new Set(operations().flatMap((each) => each.tags))
  expect([...used].toSorted()).toEqual(tags.map(({ name }) => name).toSorted())
  expect(operations().filter((each) => each.tags.length !== 1)).toEqual([])
  const bare = operations().flatMap(({ name, parameters, requestBody }) => [
    ...parameters.filter(({ description }) => description === '').map((parameter) => `${name}: ${parameter.name}`),
    ...undescribed(requestBody?.content['application/json'].schema ?? {}).map((path) => `${name}: ${path}`),
  ])
  expect(bare).toEqual([])
})

test('R-API-02 every body and every parameter without listed values has an example, and all match their schemas', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const faulty = operations().flatMap(({ name, parameters, requestBody }) => {
    const body = requestBody?.content['application/json']
    const wrong = parameters.filter(({ name: of, schema, example }) =>
      example === undefined
        ? !(of === 'cursor' || 'enum' in schema || 'const' in schema || schema['type'] === 'boolean')
        : !ajv.validate(schema, example),
    )
    return [
      ...wrong.map((parameter) => `${name}: ${parameter.name}`),
      ...(body === undefined || ajv.validate(body.schema, body.example) ? [] : [`${name}: body ${ajv.errorsText()}`]),
    ]
  })
  expect(faulty).toEqual([])
})

test('R-API-03 the document lists every error code with its status, whether to retry, and what to do', async () => {
  const { description } = z.looseObject({ info: z.looseObject({ description: z.string() }) }).parse(document).info
  for (const [code, { status }] of Object.entries(errorCatalog)) {
    expect(description).toMatch(new RegExp(`^\\| \`${code}\` \\| ${status} \\| (yes|no|check first) \\| [A-Z][^|{}]{15,}\\. \\|$`, 'm'))
  }
  expect((await app.inject('/api/docs')).body.match(/<td>(?:yes|no|check first)<\/td>/g)).toHaveLength(Object.keys(errorCatalog).length)
})

test('R-API-02 the document passes an independent OpenAPI 3.1 validator', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate((await app.inject('/api/openapi.json')).json())
  expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1'])
})

test('R-API-02 the documentation page lists every call with its examples, has one script of the panel and loads nothing external', async () => {
  const { statusCode, headers, body } = await app.inject({ url: '/api/docs', headers: { accept: 'text/html' } })
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const unescaped = body.replaceAll('&lt;', '<')
  for (const { method, url } of listRestRoutes()) {
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    expect(unescaped).toContain(`<b>${method}</b> <code>${path}</code>`)
  }
  expect(body.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/api-docs.js">'])
  expect(body).not.toMatch(/<link|<img|@import|url\(| on\w+="/)
  expect(body.match(/<pre data-lang="curl">/g)?.length).toBe(listRestRoutes().length)
  // Examples only: addresses of the panel, and values of their fields.
  const outside = body.replaceAll(/<pre data-lang="[^"]*">[^<]*<\/pre>/g, '')
  expect(outside.match(/https?:\/\//g)).toBeNull()
})

describe('R-API-01 ETag', () => {
  test.each(['/api/groups', '/api/zones/live', '/api/accounts', '/api/operations'])('%s is sent once while unchanged', async (url) => {
    const first = await app.inject({ url, headers: anna.headers })
    const etag = String(first.headers['etag'])
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await app.inject({ url, headers: { ...anna.headers, 'if-none-match': given } })
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag])
    }
    expect((await app.inject({ url, headers: { ...anna.headers, 'if-none-match': '"other"' } })).statusCode).toBe(200)
  })

  test.each(['/api/openapi.json', '/api/docs'])('%s is for everybody, made once, and sent once to who keeps it', async (url) => {
    const first = await app.inject(url)
    const etag = String(first.headers['etag'])
    expect([first.statusCode, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/) as unknown])
    const again = await app.inject({ url, headers: { 'if-none-match': `"other", ${etag}` } })
    expect([again.statusCode, again.body, again.headers['etag'], again.headers['content-type']]).toEqual([304, '', etag, undefined])
    expect((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).body).toBe(first.body)
  })

  test('a changed response is sent in full, and a tag reveals nothing about other people’s data', async () => {
    const ask = (headers: Record<string, string>) => app.inject({ url: '/api/groups', headers })
    const etag = String((await ask(anna.headers)).headers['etag'])
    await anna.call.groups.create({ name: 'newer' })
    expect((await ask({ ...anna.headers, 'if-none-match': etag })).statusCode).toBe(200)
    expect((await ask({ 'if-none-match': etag })).statusCode).toBe(401)
  })
})

test('R-AUT-06 a rate-limited caller gets the retry time, also in the headers', async () => {
  const payload = { email: 'often@example.com', password: 'not that one' }
  const ask = () => app.inject({ method: 'POST', url: '/api/auth/login', payload })
  let answer = await ask()
  for (let turn = 0; turn < 50 && answer.statusCode !== 429; turn += 1) answer = await ask()
  const { retryAfterSeconds } = answer.json<{ params: { retryAfterSeconds: number } }>().params
  expect(answer.headers).toMatchObject({
    'retry-after': String(retryAfterSeconds),
    'ratelimit-limit': '10',
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(retryAfterSeconds),
  })
  const { components } = (await app.inject('/api/openapi.json')).json<{ components: { responses: { 429: { headers: object } } } }>()
  const documented = Object.keys(components.responses[429].headers).map((name) => name.toLowerCase())
  expect(documented.filter((name) => answer.headers[name] === undefined)).toEqual([])
  expect(documented).toHaveLength(4)
})
