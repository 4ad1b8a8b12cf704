import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { dnsAddRequest, dnsEditRequest } from './record-requests.ts'
import { operationRequest } from './registry.ts'
import { settingsRequest } from './requests.ts'
import { bulkCreateInput, bulkDnsInput, operationTarget } from './schema.ts'

const deletion = (input: object) => operationRequest.safeParse({ kind: 'dns_delete', input })
const messagesOf = (result: ReturnType<typeof deletion>) => result.error?.issues.map(({ message }) => message) ?? []

describe('R-DNS-04 a bulk deletion of records', () => {
  test.each([
    [{}],
    [{ name: '' }],
    [{ content: '' }],
    [{ name: '  ', content: ' \t ' }],
    [{ match: 'part' }],
    [{ match: 'part', content: ' ' }],
  ])('is rejected without a filter: %j', (input) => {
    expect(messagesOf(deletion(input))).toEqual(['select_filter'])
  })

  test.each([[{ type: 'TXT' }], [{ name: '@' }], [{ content: '192.0.2.1' }]])('is accepted with one filter: %j', (input) => {
    expect(deletion(input).success).toBe(true)
  })

  test('does not treat an unknown filter as no filter', () => {
    expect(deletion({ type: 'TXT', nmae: 'www' }).success).toBe(false)
  })
})

describe('R-DNS-04 a bulk change of records', () => {
  const edit = (input: object) => operationRequest.safeParse({ kind: 'dns_edit', input: { set: { ttl: 300 }, ...input } })

  test.each([[{}], [{ name: ' ' }], [{ content: '' }], [{ match: 'part' }]])('is rejected without a filter: %j', (input) => {
    expect(messagesOf(edit(input))).toEqual(['select_filter'])
  })
  test.each([[{ type: 'TXT' }], [{ name: '@' }], [{ content: '192.0.2.1' }]])('is accepted with one filter: %j', (input) => {
    expect(edit(input).success).toBe(true)
  })
  test('is rejected when it changes nothing, or sets one content on records of any type', () => {
    expect(messagesOf(edit({ type: 'TXT', set: {} }))).toEqual(['edit_empty'])
    expect(messagesOf(edit({ name: '@', set: { content: '192.0.2.1' } }))).toEqual(['edit_content_type'])
    expect(edit({ type: 'A', set: { content: '192.0.2.1' } }).success).toBe(true)
  })
})

const issuesOf = (schema: z.ZodType, given: unknown) =>
  schema.safeParse(given).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []
const txt = { type: 'TXT', name: '@', content: 'v=token {{value}}' }
const values = [{ domain: 'a.example', value: '1' }]

describe('a value for each domain', () => {
  test('is required exactly where a new record uses it', () => {
    for (const part of [{ name: '{{value}}' }, { content: '{{ VALUE }}' }, { comment: 'of {{value}}' }]) {
      const records = [
        { type: 'TXT', name: '@', content: 'x', comment: 'c', ...part },
        { type: 'TXT', name: 'b', content: 'y' },
      ]
      expect(issuesOf(dnsAddRequest, { records })).toEqual(['values values_missing'])
      expect(issuesOf(dnsAddRequest, { records, values })).toEqual([])
    }
    expect(issuesOf(dnsAddRequest, { records: [{ ...txt, content: '{{domain}}' }], values })).toEqual(['values values_unused'])
    expect(issuesOf(dnsAddRequest, { records: [{ ...txt, content: '{{domain}}' }] })).toEqual([])
    const [issue] = dnsAddRequest.safeParse({ records: [txt] }).error?.issues ?? []
    expect(issue?.code).toBe('custom')
  })

  test('is required exactly where a change uses it', () => {
    const edit = { type: 'TXT' }
    for (const set of [{ content: '{{value}}' }, { comment: '{{value}}' }]) {
      expect(issuesOf(dnsEditRequest, { ...edit, set })).toEqual(['values values_missing'])
      expect(issuesOf(dnsEditRequest, { ...edit, set, values })).toEqual([])
    }
    for (const set of [{ content: 'x' }, { comment: null }, { ttl: 300 }]) {
      expect(issuesOf(dnsEditRequest, { ...edit, set, values })).toEqual(['values values_unused'])
      expect(issuesOf(dnsEditRequest, { ...edit, set })).toEqual([])
    }
  })

  test('is given once for a domain, in any case', () => {
    const twice = [...values, { domain: 'b.example', value: '1' }, { domain: ' A.Example ', value: '2' }]
    expect(issuesOf(dnsAddRequest, { records: [txt], values: twice })).toEqual(['values.2.domain value_repeated'])
    expect(issuesOf(dnsAddRequest, { records: [txt], values: twice.slice(0, 2) })).toEqual([])
    expect(dnsAddRequest.safeParse({ records: [txt], values: twice }).error?.issues[0]?.code).toBe('custom')
  })

  test('is checked in the bulk call of the API as well', () => {
    const ids = ['0198a000-0000-7000-8000-000000000001']
    expect(issuesOf(bulkDnsInput, { ids, add: [txt] })).toEqual(['values values_missing'])
    expect(issuesOf(bulkDnsInput, { ids, add: [txt], values })).toEqual([])
    expect(issuesOf(bulkDnsInput, { ids, delete: { type: 'TXT' } })).toEqual([])
  })
})

describe('new records for many domains', () => {
  const added = (...records: object[]) => dnsAddRequest.safeParse({ records }).error?.issues ?? []
  const a = { type: 'A', name: 'www', content: '203.0.113.7' }

  test('are rejected where they are invalid for every domain, each at its field', () => {
    expect(added(a)).toEqual([])
    expect(added(a, { ...a, name: 'x', content: 'nowhere' })).toMatchObject([{ code: 'custom', path: ['records', 1, 'content'] }])
    const [outOfRange] = added({ type: 'SRV', name: '_sip._tcp', content: '1 70000 5060 sip.example.com' })
    expect(outOfRange).toMatchObject({ message: 'record_number', params: { max: 65_535 } })
    expect(added({ ...a, content: 'nowhere' })[0]).not.toHaveProperty('params')
  })

  test('are not rejected for what only some domains, or values, make invalid', () => {
    expect(added({ ...a, name: 'www.example.com.' })).toEqual([])
    expect(added({ type: 'CNAME', name: 'www', content: 'www.{{domain}}' })).toEqual([])
    expect(added({ type: 'CNAME', name: 'cdn', content: 'www.{{domain}}' })).toEqual([])
    const filled = (record: object) => dnsAddRequest.safeParse({ records: [record], values }).error?.issues ?? []
    expect(filled({ ...a, content: '{{value}}' })).toEqual([])
    expect(filled({ ...a, name: '{{value}}' })).toEqual([])
  })

  test('are rejected where they exclude each other, at the later one', () => {
    const cname = { type: 'CNAME', name: 'www', content: 'cdn.example.com' }
    expect(added(a, cname)).toMatchObject([{ code: 'custom', path: ['records', 1, 'name'], message: 'record_name_taken' }])
    expect(added(cname, a)).toMatchObject([{ path: ['records', 1, 'name'], message: 'record_cname_there' }])
    expect(added(a, { ...a, name: 'x' }, { ...a })).toMatchObject([{ path: ['records', 2, 'name'], message: 'record_there' }])
    expect(added({ ...a, name: '@' }, { ...a, name: '{{domain}}' })).toMatchObject([{ message: 'record_there' }])
    expect(added(a, { ...a, content: '203.0.113.8' })).toEqual([])
  })
})

test('a change of settings sets at least one, and a filter by an emptied text selects nothing', () => {
  expect(issuesOf(settingsRequest, { settings: {} })).toEqual(['settings settings_empty'])
  expect(issuesOf(settingsRequest, { settings: { ssl: undefined } })).toEqual(['settings settings_empty'])
  expect(issuesOf(settingsRequest, { settings: { ssl: 'full', hsts: undefined } })).toEqual([])
  expect(issuesOf(dnsEditRequest, { type: 'A', set: { ttl: undefined } })).toEqual(['set edit_empty'])
  const selected = (filter: object) => operationTarget.options[1].safeParse({ filter }).error?.issues ?? []
  expect(selected({})).toEqual([])
  expect(selected({ search: 'a', email: 'b' })).toEqual([])
  expect(selected({ search: ' ' })).toMatchObject([{ code: 'custom', path: ['filter', 'search'], message: 'required' }])
  expect(selected({ email: '' })).toMatchObject([{ path: ['filter', 'email'], message: 'required' }])
  expect(bulkCreateInput.shape.ipAddress.parse('')).toBeNull()
})
