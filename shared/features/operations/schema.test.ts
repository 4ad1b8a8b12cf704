import { describe, expect, test } from 'vitest'
import { operationRequest } from './registry.ts'

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
