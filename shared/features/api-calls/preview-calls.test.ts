import { expect, test } from 'vitest'
import { previewCalls } from './preview-calls.ts'

const url = 'https://panel.example.com'
const input = {
  request: { kind: 'ip', input: { ipAddress: '203.0.113.7', mode: 'replace' } },
  target: { ids: ['01a1fcdd-50f5-7bb3-90c9-000000000001'] },
}

test('R-API-01 an operation that is previewed can be prepared and started by the same two calls', () => {
  const calls = previewCalls('operations.preview', input, url)
  expect(calls?.curl).toContain(`curl -X POST '${url}/api/operations'`)
  expect(calls?.curl).toContain(`-d '${JSON.stringify(input)}'`)
  expect(calls?.curl).toContain(`curl -X POST '${url}/api/operations/OPERATION_ID/start'`)
  expect(calls?.typescript).toContain("mode: 'replace'")
  expect(calls?.typescript).toContain('await panel.operations.start({ id: operation.id })')
})

test('an undo names the operation in its address', () => {
  const calls = previewCalls('operations.previewUndo', { id: 'an id' }, url)
  expect(calls?.curl).toContain(`'${url}/api/operations/an%20id/undo'`)
  expect(calls?.typescript).toContain("const { operation } = await panel.operations.previewUndo({ id: 'an id' })")
})

test('R-DOM-07 domains that are added are previewed by their own call', () => {
  const added = { domains: ['a.com'], accountIds: ['an id'], ipAddress: '203.0.113.7' }
  const calls = previewCalls('operations.previewCreate', added, url)
  expect(calls?.curl).toContain(`curl -X POST '${url}/api/zones/bulk-create'`)
  expect(calls?.curl).toContain(`-d '${JSON.stringify({ ...added, preview: true })}'`)
  expect(calls?.typescript).toContain('const { operation } = await panel.operations.previewCreate({')
})

test('previews that only the browser has are no calls', () => {
  expect(previewCalls('operations.previewPurchase', {}, url)).toBeNull()
})
