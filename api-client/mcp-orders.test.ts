import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../server/app.ts'
import { createBuyingStage } from '../server/testing/buying-stage.ts'
import { startMcp } from '../server/testing/mcp-session.ts'

const stage = createBuyingStage()
const { orderOf, run, ends, sold, itemsOf } = stage
let app: FastifyInstance
let url: string
beforeAll(async () => {
  await stage.start()
  app = await buildApp(stage.panel.services, { publicUrl: 'http://127.0.0.1', trustProxy: [], clientDir: null })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  app.server.closeAllConnections()
  await app.close()
  await stage.panel.close()
})
beforeEach(() => stage.reset())

const session = async (scope: 'read' | 'write' | 'buy') => {
  const given = { name: scope, scope, ...(scope === 'buy' && { spendLimitUsd: 12 }) }
  return startMcp(url, (await stage.ann.call.apiTokens.create(given)).secret)
}
const order = async (name: string) => ({ name: 'operations.purchase', input: await orderOf('PORKBUN', [name]) })
const failed = (text: string) => ({ failed: true, text: expect.stringContaining(text) as unknown })
const price = { minor: 1_098, currency: 'USD' }

test('an assistant with a token of scope buy sees prices and total, buys what it has shown, and stays within the limit', async () => {
  const mcp = await session('buy')
  expect(mcp.instructions).toContain('buys and renews')
  expect(mcp.instructions).not.toContain('read-only')
  const { data } = await mcp.use('prepare_call', await order('free-mcp-0.com'))
  expect(data).toMatchObject({
    preview: { preview: { totals: [{ names: 1, total: price }] } },
    examples: [{ domain: 'free-mcp-0.com', after: { purchase: { price } } }],
  })
  expect(sold('free-mcp-0.com')).toEqual([])
  const { previewId } = data as { previewId: string }
  expect(await mcp.use('apply_preview', { previewId })).toMatchObject({ failed: false })
  await run()
  await ends(previewId)
  expect(sold('free-mcp-0.com')).toHaveLength(1)

  const second = (await mcp.use('prepare_call', await order('free-mcp-1.com'))).data as { previewId: string }
  expect(await mcp.use('apply_preview', { previewId: second.previewId })).toMatchObject(failed('spend_limit'))
  // A draft of the panel is shown with its prices, too.
  expect((await mcp.use('prepare_call', { name: 'operations.start', input: { id: second.previewId } })).data).toMatchObject({
    previewId: second.previewId,
    preview: { operation: { kind: 'buy', state: 'draft' }, totals: [{ names: 1, total: price }] },
    examples: [{ after: { purchase: { price } } }],
  })
  // Renewals are previewed by the same tool.
  expect(
    await mcp.use('prepare_call', { name: 'operations.previewRenewal', input: { target: { nameIds: [crypto.randomUUID()] } } }),
  ).toMatchObject(failed('not_found'))
  expect(
    (await mcp.use('read_call', { name: 'buying.check', input: { registrarId: stage.registrarOf('PORKBUN'), names: ['free-mcp-2.com'] } }))
      .data,
  ).toMatchObject({
    results: [{ state: 'available' }],
  })
  const { data: group } = await mcp.use('prepare_call', { name: 'groups.create', input: { name: 'By an assistant' } })
  expect(group).toMatchObject({ note: expect.stringContaining('can only buy and renew') as unknown })
  expect(group).not.toHaveProperty('previewId')
})

test.each([
  ['read', 'This token is read-only'],
  ['write', 'a token with the scope buy'],
] as const)('an assistant with a token of scope %s previews an order and is shown who can start it', async (scope, note) => {
  const mcp = await session(scope)
  const { data } = await mcp.use('prepare_call', await order(`free-mcp-${scope}.com`))
  expect(data).toMatchObject({ note: expect.stringContaining(note) as unknown, preview: { preview: { totals: [{ total: price }] } } })
  expect(data).not.toHaveProperty('previewId')
  const { operation } = (data as { preview: { operation: { id: string } } }).preview
  expect((await itemsOf(operation.id)).operation.state).toBe('draft')
})

test('an assistant with a session does what its user may do, orders included', async () => {
  const mcp = await startMcp(url, stage.ann.token)
  expect(mcp.instructions).not.toContain('This token')
  expect(await mcp.names()).toContain('apply_preview')
  expect((await mcp.use('prepare_call', await order('free-mcp-session.com'))).data).toHaveProperty('previewId')
  expect((await mcp.use('prepare_call', { name: 'groups.create', input: { name: 'Shops' } })).data).toHaveProperty('previewId')
})
