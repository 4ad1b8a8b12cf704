import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { expressionFields } from '#shared/features/domains/rulesets/expression/fields.ts'
import { expressionFunctions } from '#shared/features/domains/rulesets/expression/functions.ts'
import { startTestSimulator } from '#server/testing/cloudflare-simulator.ts'
import { applyEdit } from './control.ts'
import type { PlanId, SimRuleset, SimToken } from './model.ts'
import { checkRule, requireQuota } from './rule-check.ts'
import { parseExpression } from './rule-expression.ts'
import { rulesetsOf } from './ruleset-world.ts'

type Running = Awaited<ReturnType<typeof startTestSimulator>>

const WAF = 'http_request_firewall_custom'
const block = { action: 'block', expression: '(http.request.uri.path eq "/x")' }
const redirect = {
  action: 'redirect',
  expression: '(http.host eq "old.example.com")',
  action_parameters: { from_value: { target_url: { value: 'https://example.com' }, status_code: 301 } },
}
const ratelimit = { characteristics: ['ip.src', 'cf.colo.id'], period: 10, requests_per_period: 20, mitigation_timeout: 10 }

let running: Running
let used = 0
beforeAll(async () => {
  running = await startTestSimulator({ world: { zones: 60 } })
})
afterAll(() => running.simulator.close())

/** A zone that no other test uses. */
function newZone(plan: PlanId = 'free') {
  const zone = running.zones[used++]
  if (zone === undefined) throw new Error('more zones needed')
  zone.plan = plan
  const at = `/zones/${zone.id}/rulesets`
  const send = async (method: string, path: string, body?: unknown) => {
    const { owner, simulator } = running
    const response = await fetch(simulator.url + at + path, {
      method,
      headers: { 'x-auth-email': owner.email, 'x-auth-key': owner.globalKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as {
      readonly result: {
        readonly id: string
        readonly version: string
        readonly rules: readonly { readonly id: string; readonly description: string }[]
      }
      readonly errors: readonly { readonly code: number; readonly message: string; readonly source?: { readonly pointer: string } }[]
    }
  }
  const create = (phase: string, ...rules: readonly object[]) => send('POST', '', { kind: 'zone', name: 'default', phase, rules })
  return { zone, at, send, create }
}

describe('a zone of the world', () => {
  test('has rules of others that its plan permits, the same ones each time, and none in a plain world', async () => {
    const full = await startTestSimulator({ world: { zones: 300, accounts: 6, plain: false } })
    const again = await startTestSimulator({ world: { zones: 300, accounts: 6, plain: false } })
    const phases = new Map<string, number>()
    for (const [index, zone] of full.zones.entries()) {
      const rulesets = rulesetsOf(full.simulator.state, zone)
      expect(rulesetsOf(again.simulator.state, again.zones[index] ?? zone)).toEqual(rulesets)
      for (const { phase, versions } of rulesets.values()) {
        const rules = versions.at(-1)?.rules ?? []
        phases.set(phase, (phases.get(phase) ?? 0) + 1)
        requireQuota(zone, phase, rules.length)
        for (const rule of rules) checkRule(zone, phase, rule.fields, '')
        expect(rules.some(({ ref }) => ref.startsWith('zonedeck_'))).toBe(false)
        expect(versions.map(({ version, rules: held }) => [version, held.length])).toEqual(rules.map((_, at) => [at + 1, at + 1]))
      }
    }
    expect([...phases.keys()].toSorted()).toEqual(
      [
        'http_config_settings',
        'http_ratelimit',
        'http_request_cache_settings',
        'http_request_dynamic_redirect',
        'http_request_firewall_custom',
        'http_response_headers_transform',
      ].toSorted(),
    )
    expect(phases.get(WAF)).toBeGreaterThan(50)
    expect(phases.get(WAF)).toBeLessThan(240)
    await full.simulator.close()
    await again.simulator.close()
    for (const zone of running.zones) expect(rulesetsOf(running.simulator.state, zone).size).toBe(0)
  })
})

describe('permissions', () => {
  test('each product’s rules need its permission, and any of them lists the rulesets', async () => {
    const { zone, at, create } = newZone()
    await create(WAF, block)
    await create('http_request_dynamic_redirect', redirect)
    const { simulator, call, owner } = running
    const found = simulator.state.tokensByValue.get(owner.readOnlyToken)
    if (found === undefined) throw new Error('no token')
    const withPermissions = (permissions: SimToken['permissions']) => Object.assign(found, { permissions })
    const token = owner.readOnlyToken
    const rulesOf = async (phase: string) => (await call('GET', `${at}/phases/${phase}/entrypoint`, { token })).status
    expect((await call('GET', at, { token })).code).toBe(10000)
    withPermissions(['zone_waf:read'])
    expect((await call('GET', at, { token })).status).toBe(200)
    expect(await rulesOf(WAF)).toBe(200)
    expect(await rulesOf('http_ratelimit')).toBe(404)
    expect(await rulesOf('http_request_dynamic_redirect')).toBe(403)
    const waf = rulesetsOf(simulator.state, zone).get(WAF)?.id ?? ''
    expect((await call('POST', `${at}/${waf}/rules`, { token, body: block })).code).toBe(10000)
    withPermissions(['zone_waf:edit'])
    expect((await call('POST', `${at}/${waf}/rules`, { token, body: block })).status).toBe(200)
    expect((await call('POST', at, { token, body: { kind: 'zone', phase: 'http_request_origin', rules: [] } })).code).toBe(10000)
  })
})

describe('writes', () => {
  test('a dry run answers null, changes nothing, and is refused like the write', async () => {
    const { zone, send, create } = newZone()
    const made = (await create(WAF, block)).result
    const [ruleId] = made.rules.map(({ id }) => id)
    const before = rulesetsOf(running.simulator.state, zone).get(WAF)
    const writes: readonly (readonly [string, string, object | undefined])[] = [
      ['PUT', `/phases/${WAF}/entrypoint`, { rules: [] }],
      ['PUT', `/${made.id}`, { rules: [] }],
      ['POST', `/${made.id}/rules`, block],
      ['PATCH', `/${made.id}/rules/${ruleId}`, { ...block, enabled: false }],
      ['DELETE', `/${made.id}/rules/${ruleId}`, undefined],
    ]
    for (const [method, path, body] of writes) {
      expect(await send(method, `${path}?dry_run=true`, body)).toMatchObject({ success: true, result: null })
      expect((await send(method, `${path}?dry_run=yes`, body)).errors).toHaveLength(1)
    }
    expect((await send('POST', `?dry_run=true`, { kind: 'zone', phase: 'http_request_origin', rules: [] })).result).toBeNull()
    expect(rulesetsOf(running.simulator.state, zone).get(WAF)).toBe(before)
    expect(rulesetsOf(running.simulator.state, zone).size).toBe(1)
    const wrong = { ...block, expression: '' }
    expect((await send('POST', `/${made.id}/rules?dry_run=true`, wrong)).errors).toMatchObject([{ code: 20125 }])
    expect((await send('POST', `/${made.id}/rules`, wrong)).errors).toMatchObject([{ code: 20125 }])
  })

  test('a second ruleset of a phase is refused, and an unknown field of an entry point', async () => {
    const { create, send } = newZone()
    await create(WAF, block)
    expect((await create(WAF, block)).errors).toEqual([
      {
        code: 20217,
        message: `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${WAF}`,
        source: { pointer: '/kind' },
      },
    ])
    const body = { kind: 'zone', rules: [] }
    expect((await send('PUT', `/phases/${WAF}/entrypoint`, body)).errors[0]?.message).toBe('invalid JSON: unknown field "kind"')
  })

  test('a rule is placed first, last, before or after another, or by number', async () => {
    const { create, send } = newZone('pro')
    const made = (await create(WAF, ...['a', 'b', 'c'].map((description) => ({ ...block, description })))).result
    const idOf = (description: string) => made.rules.find((rule) => rule.description === description)?.id ?? ''
    const move = async (description: string, position: object) => {
      const { result, errors } = await send('PATCH', `/${made.id}/rules/${idOf(description)}`, { position })
      return errors[0]?.message ?? result.rules.map((rule) => rule.description).join('')
    }
    expect(await move('c', { before: '' })).toBe('cab')
    expect(await move('c', { after: '' })).toBe('abc')
    expect(await move('c', { before: idOf('b') })).toBe('acb')
    expect(await move('a', { after: idOf('c') })).toBe('cab')
    expect(await move('c', { index: 3 })).toBe('abc')
    expect(await move('c', { index: 4 })).toBe(`'4' is not a valid value for index`)
    expect(await move('c', { index: 1, before: '' })).toContain('exactly one')
    expect(await move('c', { before: 'f'.repeat(32) })).toContain('could not find rule')
    const added = await send('POST', `/${made.id}/rules`, { ...block, description: 'd', position: { index: 1 } })
    expect(added.result.rules.map(({ description }) => description).join('')).toBe('dabc')
  })

  test('a change replaces the whole definition, and each write is a version', async () => {
    const { create, send } = newZone()
    const made = (await create(WAF, { ...block, description: 'old', ref: 'zonedeck_1', enabled: false })).result
    const id = made.rules[0]?.id ?? ''
    const { result } = await send('PATCH', `/${made.id}/rules/${id}`, { ...block, action: 'js_challenge' })
    expect(result).toMatchObject({ version: '2', rules: [{ id, ref: id, action: 'js_challenge', description: '', enabled: true }] })
    expect((await send('PATCH', `/${made.id}/rules/${id}`, { enabled: false })).errors[0]?.message).toContain('action cannot be blank')
    expect((await send('GET', `/${made.id}/versions/1`)).result).toEqual(made)
    expect((await send('GET', `/${made.id}/versions/9`)).errors).toHaveLength(1)
  })

  test('a person outside the panel changes the rules of a phase, or removes its ruleset', async () => {
    const { zone, create, send } = newZone()
    const [rule] = (await create(WAF, block)).result.rules
    const edit = { kind: 'ruleset', zone: zone.name, phase: WAF } as const
    const rules = [{ ...block, description: 'foreign', new_field: { a: 1 } }, { ...rule }]
    applyEdit(running.simulator.state, { ...edit, rules })
    const { result } = await send('GET', `/phases/${WAF}/entrypoint`)
    expect(result).toMatchObject({ version: '2', rules: [{ description: 'foreign', new_field: { a: 1 } }, rule] })
    applyEdit(running.simulator.state, { ...edit, rules: null })
    expect((await send('GET', `/phases/${WAF}/entrypoint`)).errors).toEqual([
      { code: 10003, message: `could not find entrypoint ruleset in the "${WAF}" phase` },
    ])
  })
})

describe('what a plan permits', () => {
  test('no more rules than its quota', async () => {
    const { create, send } = newZone()
    const made = (await create(WAF, ...Array.from({ length: 5 }, () => block))).result
    expect((await send('POST', `/${made.id}/rules`, block)).errors).toMatchObject([
      { code: 50001, message: `exceeded the maximum number of rules in the phase ${WAF}: 6 out of 5` },
    ])
    const six = { rules: Array.from({ length: 6 }, () => block) }
    expect((await send('PUT', `/phases/${WAF}/entrypoint`, six)).errors).toMatchObject([{ code: 50001 }])
    const paid = newZone('pro')
    expect((await paid.send('PUT', `/phases/${WAF}/entrypoint`, six)).result.rules).toHaveLength(6)
  })

  const regex = { ...block, expression: '(http.request.uri.path matches "^/a")' }
  const limit = { ...block, ratelimit }
  test.each<[string, PlanId, string, object, string | null]>([
    [
      'regular expressions',
      'pro',
      WAF,
      regex,
      'not entitled: the use of operator Matches is not allowed, a Business plan or a WAF Advanced',
    ],
    ['regular expressions', 'business', WAF, regex, null],
    ['the action log', 'business', WAF, { ...block, action: 'log' }, 'not entitled to use the log action'],
    ['the action log', 'enterprise', WAF, { ...block, action: 'log' }, null],
    ['bot scores', 'business', WAF, { ...block, expression: 'cf.bot_management.score lt 30' }, 'a Bot Management plan is required'],
    ['a rate limit', 'free', 'http_ratelimit', limit, null],
    ['longer periods', 'free', 'http_ratelimit', { ...limit, ratelimit: { ...ratelimit, period: 60 } }, 'can only use a period among [10]'],
    ['longer periods', 'pro', 'http_ratelimit', { ...limit, ratelimit: { ...ratelimit, period: 60 } }, null],
    [
      'longer blocks',
      'free',
      'http_ratelimit',
      { ...limit, ratelimit: { ...ratelimit, mitigation_timeout: 60 } },
      'not entitled to use a mitigation timeout different from 10',
    ],
    ['milder actions', 'free', 'http_ratelimit', { ...limit, action: 'managed_challenge' }, 'managed_challenge action in ratelimiting'],
    [
      'other fields in a rate limit',
      'free',
      'http_ratelimit',
      { ...limit, expression: 'http.host eq "a.com"' },
      'field http.host is not allowed, an higher Advanced Rate Limiting plan is required',
    ],
    [
      'counting without the data center',
      'pro',
      'http_ratelimit',
      { ...limit, ratelimit: { ...ratelimit, characteristics: ['ip.src'] } },
      `missing 'cf.colo.id'`,
    ],
    ['a rule of another phase', 'pro', WAF, redirect, 'is not allowed in the phase'],
    [
      'a redirect without a target',
      'pro',
      'http_request_dynamic_redirect',
      { ...redirect, action_parameters: {} },
      'action parameters are required',
    ],
    [
      'another host header',
      'business',
      'http_request_origin',
      { action: 'route', expression: 'true', action_parameters: { host_header: 'a.com' } },
      'not entitled to use the HostHeader override',
    ],
  ])('%s (%s)', async (_, plan, phase, rule, message) => {
    const { create } = newZone(plan)
    const answer = await create(phase, rule)
    expect(answer.errors[0]?.message ?? null).toEqual(message === null ? null : expect.stringContaining(message))
  })
})

describe('expressions', () => {
  const check = async (expression: string) => (await newZone().create(WAF, { ...block, expression })).errors[0] ?? null

  test('a refusal quotes the expression and marks the place', async () => {
    expect(await check('http.host eq "a" and URI Path')).toEqual({
      code: 20127,
      message:
        `'http.host eq "a" and URI Path' is not a valid value for expression because could not parse filter expression: ` +
        `Filter parsing error (1:22):\nhttp.host eq "a" and URI Path\n${' '.repeat(21)}^^^ unknown identifier\n`,
      source: { pointer: '/rules/0/expression' },
    })
    expect((await check(`http.host eq "${'a'.repeat(4_096)}"`))?.message).toContain('the maximum is 4096')
    expect((await check(' '))?.message).toContain('the expression cannot be blank')
    expect((await check('(ssl'))?.message).toContain('expected literal ")"')
    expect((await check('ssl)'))?.message).toContain('unrecognised input')
    expect((await check('http.host eq "a'))?.message).toContain('missing ending quote')
    expect((await check('ssl ; ssl'))?.message).toContain('unrecognised input')
  })

  test('the simulator knows every field and function that the panel completes', () => {
    const names = [...Object.keys(expressionFields), ...Object.keys(expressionFunctions)]
    expect(names.filter((name) => parseExpression(name).problem !== null)).toEqual([])
  })

  test.each([
    '(http.host eq "a\\"b" and not ip.src in {192.0.2.1 2001:db8::/32 10.0.0.0/8})',
    'any(http.request.headers["x-a"][*] == "1") || http.request.uri.args["a"][0] ne ""',
    'ip.src in $office and http.request.timestamp.sec in {1..5 9}',
    'lower(http.user_agent) contains r#"a "b" c"# or starts_with(http.request.uri.path, "/a")',
    'http.request.full_uri wildcard r"https://*.example.com/*" and http.request.uri.path strict wildcard "/A/*"',
    'substring(http.request.uri.path, 0, -2) eq "x"',
    'true',
  ])('%s is accepted', async (expression) => {
    const { create } = newZone()
    expect((await create(WAF, { ...block, expression })).errors).toEqual([])
  })
})

test('versions of one ruleset share their rules', () => {
  const { zone } = newZone()
  const edit = { kind: 'ruleset', zone: zone.id, phase: WAF } as const
  applyEdit(running.simulator.state, { ...edit, rules: [{ ...block, ref: 'a' }] })
  applyEdit(running.simulator.state, { ...edit, rules: [{ ...block, ref: 'a' }, block] })
  const { versions } = rulesetsOf(running.simulator.state, zone).get(WAF) as SimRuleset
  expect(versions[1]?.rules[0]).toBe(versions[0]?.rules[0])
})
