import { expect, test } from 'vitest'
import { confirmedCalls, previewCalls } from './preview-calls.ts'

const url = 'https://panel.example.com'
const input = {
  request: { kind: 'ip', input: { ipAddress: '203.0.113.7', mode: 'replace' } },
  target: { ids: ['01a1fcdd-50f5-7bb3-90c9-000000000001'] },
}

test('R-API-01 a previewed operation is prepared and started by the same two calls', () => {
  const calls = previewCalls('operations.preview', input, url)
  expect(calls?.curl).toContain(`curl -X POST '${url}/api/operations'`)
  expect(calls?.curl).toContain(`-d '${JSON.stringify(input)}'`)
  expect(calls?.curl).toContain(`curl -X POST '${url}/api/operations/OPERATION_ID/start'`)
  expect(calls?.typescript).toContain("mode: 'replace'")
  expect(calls?.typescript).toContain('await panel.operations.start({ id: operation.id })')
})

test('an undo has the operation in its path', () => {
  const calls = previewCalls('operations.previewUndo', { id: 'an id' }, url)
  expect(calls?.curl).toContain(`'${url}/api/operations/an%20id/undo'`)
  expect(calls?.typescript).toContain("const { operation } = await panel.operations.previewUndo({ id: 'an id' })")
})

test('R-DOM-07 an addition of domains is previewed by its own call', () => {
  const added = { domains: ['a.com'], accountIds: ['an id'], ipAddress: '203.0.113.7' }
  const calls = previewCalls('operations.previewCreate', added, url)
  expect(calls?.curl).toContain(`curl -X POST '${url}/api/zones/bulk-create'`)
  expect(calls?.curl).toContain(`-d '${JSON.stringify({ ...added, preview: true })}'`)
  expect(calls?.typescript).toContain('const { operation } = await panel.operations.previewCreate({')
})

test.each([
  ['operations.previewPurchase', '/registration', { preview: true }],
  ['operations.previewRenewal', '/registrar-names/renewals', {}],
  ['operations.previewAutoRenew', '/registrar-names/auto-renew', {}],
  ['operations.previewTrackerArchive', '/tracker-domains/archive', {}],
  ['operations.previewDomainRedirects', '/zones/redirects', {}],
])('%s is previewed by POST %s', (procedure, path, more) => {
  const calls = previewCalls(procedure, { a: 1 }, url)
  expect(calls?.curl).toContain(`curl -X POST '${url}/api${path}'`)
  expect(calls?.curl).toContain(`-d '${JSON.stringify({ a: 1, ...more })}'`)
  expect(calls?.typescript).toContain(`const { operation } = await panel.${procedure}({ a: 1 })`)
})

test('R-DOM-08 the calls exclude what the preview excluded by its warnings', () => {
  const calls = previewCalls('operations.preview', input, url, ['mail_breaks', 'proxy_off'])
  const [made = -1, excluded = -1, started = -1] = ["/api/operations'", "/exclusions'", "/start'"].map((part) => calls?.curl.indexOf(part))
  expect([made > 0, excluded > made, started > excluded]).toEqual([true, true, true])
  expect(calls?.curl).toContain(`-d '{"dangers":["mail_breaks","proxy_off"]}'`)
  expect(calls?.typescript).toContain("await panel.operations.exclude({ id: operation.id, dangers: ['mail_breaks', 'proxy_off'] })")
})

test('a zone file import and an undo of changes are previewed by one call and applied by another', () => {
  const file = confirmedCalls('records.importFile', { id: 'z', text: '@ A 192.0.2.1', mode: 'add' }, url)
  expect(file.curl).toContain(`curl -X POST '${url}/api/zones/z/dns-records/import/preview'`)
  expect(file.curl).toContain(`-d '{"text":"@ A 192.0.2.1","mode":"add","token":"TOKEN"}'`)
  expect(file.typescript).toBe(
    "const input = { id: 'z', text: '@ A 192.0.2.1', mode: 'add' }\nconst { token } = await panel.records.previewImport(input)\nawait panel.records.importFile({ ...input, token })\n",
  )
  const taken = confirmedCalls('history.revert', { id: 'z', ids: ['h'] }, url, { force: true })
  expect(taken.curl).toContain(`curl -X POST '${url}/api/zones/z/history/revert'`)
  expect(taken.curl).toContain(`-d '{"ids":["h"],"force":true,"token":"TOKEN"}'`)
  expect(taken.typescript).toContain('await panel.history.revert({ ...input, force: true, token })')
})

test('a preview without a REST call yields none', () => {
  expect(previewCalls('records.previewImport', {}, url)).toBeNull()
})
