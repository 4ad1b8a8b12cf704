import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createOpenApiValidator } from '#server/testing/openapi-validator.ts'
import type { OpenApiValidator } from '#server/testing/openapi-validator.ts'
import { servePanel } from '#server/testing/served-panel.ts'
import type { ServedPanel } from '#server/testing/served-panel.ts'

let served: ServedPanel
let validateResponse: OpenApiValidator['validateResponse']
let at: { readonly zone: string; readonly doomed: string; readonly account: string; readonly registrar: string; readonly group: string }
beforeAll(async () => {
  served = await servePanel(8)
  const { owner, url } = served
  ;({ validateResponse } = createOpenApiValidator(await (await fetch(`${url}/api/openapi.json`)).json()))
  const { domains } = await owner.call.domains.list({})
  const { accounts } = await owner.call.accounts.list({})
  const { group } = await owner.call.groups.create({ name: 'shops' })
  const { registrar } = await owner.call.registrars.create({ name: 'By hand', username: 'anna', password: 'not used' })
  at = {
    zone: domains[0]?.id ?? '',
    doomed: domains[1]?.id ?? '',
    account: accounts[0]?.id ?? '',
    registrar: registrar.id,
    group: group.id,
  }
})
afterAll(() => served.close())

type Call = readonly [route: string, status: number, body?: (resources: typeof at) => object]

/** Section 7 of the specification, ordered so that each call has its prerequisites. */
const calls: readonly Call[] = [
  ['GET /groups', 200],
  ['GET /groups/{id}', 200],
  ['POST /groups', 201, () => ({ name: 'another', color: '#aabbcc' })],
  ['PATCH /groups/{id}', 200, () => ({ name: 'stores' })],
  ['POST /groups/{id}/zones', 200, ({ zone }) => ({ zoneIds: [zone] })],
  ['DELETE /groups/{id}/zones', 200, ({ zone }) => ({ zoneIds: [zone] })],
  ['GET /zones/live', 200],
  ['GET /zones/{id}', 200],
  ['GET /zones/{id}/full', 200],
  ['GET /zones/{id}/settings', 200],
  ['POST /zones/settings/batch', 200, ({ zone, account }) => ({ zoneIds: [zone, account] })],
  ['PATCH /zones/{id}/settings', 200, () => ({ ssl: 'full' })],
  ['PATCH /zones/{id}/ip-address', 200, () => ({ ipAddress: '192.0.2.9', mode: 'replace' })],
  ['POST /zones/{id}/refresh-ip', 200],
  ['PATCH /zones/{id}/group', 200, ({ group }) => ({ groupId: group })],
  ['PATCH /zones/{id}/registrar', 200, ({ registrar }) => ({ registrarId: registrar })],
  ['PATCH /zones/{id}/development-mode', 200, () => ({ enabled: true })],
  ['GET /zones/{id}/ssl', 200],
  ['PATCH /zones/{id}/ssl/universal', 200, () => ({ enabled: false })],
  ['POST /zones/{id}/purge-cache', 200, () => ({ purgeEverything: true })],
  ['POST /zones', 201, ({ account }) => ({ domainName: 'brand-new.com', accountId: account, ipAddress: '192.0.2.1' })],
  ['POST /zones/bulk-create', 202, ({ account }) => ({ domains: ['newer.com'], accountIds: [account], ipAddress: '192.0.2.1' })],
  ['POST /zones/bulk-update-settings', 202, ({ zone }) => ({ ids: [zone], settings: { minTlsVersion: '1.2' } })],
  ['POST /zones/bulk-ip-address', 202, ({ zone }) => ({ ids: [zone], ipAddress: '192.0.2.10', mode: 'add' })],
  ['POST /zones/bulk-dns', 202, ({ zone }) => ({ ids: [zone], add: [{ type: 'TXT', name: 'note', content: 'hello' }] })],
  ['POST /zones/refresh-all-ips', 202],
  ['GET /zones/{id}/dns-records', 200],
  ['POST /zones/{id}/dns-records', 201, () => ({ type: 'A', name: 'seven', content: '192.0.2.7' })],
  ['POST /zones/bulk-delete', 202, ({ doomed }) => ({ ids: [doomed] })],
  ['DELETE /zones/{id}', 204],
  ['DELETE /groups/{id}', 204],
  // Calls that the section names without an example.
  ['GET /accounts', 200],
  ['GET /registrars', 200],
  ['GET /activity-logs', 200],
  // For administrators.
  ['GET /settings', 403],
  ['GET /settings/monitoring', 200],
  ['GET /settings/trackers', 200],
  ['GET /operations', 200],
  ['GET /auth/me', 200],
]

const rows = calls.map(([route, status, body]) => ({ route, status, body }))
test.each(rows)('R-API-01 R-API-02 $route answers $status over HTTP, as documented', async ({ route, status, body }) => {
  const [method = '', path = ''] = route.split(' ')
  const id = path.startsWith('/groups') ? at.group : at.zone
  const given = body?.(at)
  const answer = await fetch(`${served.url}/api${path.replace('{id}', id)}`, {
    method,
    headers: { authorization: `Bearer ${served.writeToken}`, ...(given !== undefined && { 'content-type': 'application/json' }) },
    ...(given !== undefined && { body: JSON.stringify(given) }),
  })
  const text = await answer.text()
  expect([answer.status, text]).toEqual([status, text])
  const answerBody: unknown = text === '' ? '' : JSON.parse(text)
  expect(validateResponse(route, status, answerBody)).toEqual([])
  // Background work of the call ends before the next call.
  const operation = z.object({ operation: z.object({ id: z.string() }) }).safeParse(answerBody)
  if (status === 202 && operation.success) {
    const { id: started } = operation.data.operation
    await expect.poll(async () => (await served.owner.call.operations.items({ id: started })).operation.state).toBe('done')
  }
})
