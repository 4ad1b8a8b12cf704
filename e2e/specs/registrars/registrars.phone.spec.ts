import { z } from 'zod'
import { registrarCustomers } from '#server/simulators/registrar-world.ts'
import { call, deck, expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ world: { zones: 2, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ accountId: z.uuid() })) })

test('R-BUY-04 on a phone names without a zone and domains with wrong name servers are selected and acted on', async ({ mine, t }) => {
  const { data } = await call('GET', '/zones/live?limit=1', zones)
  await call('POST', '/zones', z.unknown(), { domainName: 'waits-on-a-phone.com', accountId: data[0]?.accountId, ipAddress: '192.0.2.10' })
  await mine.goto('/registrars/name-servers')
  await mine.getByRole('checkbox', { name: 'waits-on-a-phone.com' }).check()
  await expect(mine.getByRole('button', { name: t('registrars:delegation.set') })).toBeVisible()

  const held = deck().market.accounts.find(({ provider }) => provider === 'PORKBUN')
  const name = 'harbor-on-a-phone.com'
  const heldSince = Date.now()
  held?.names.set(name, {
    name,
    createdAtMs: heldSince,
    expiresAtMs: heldSince + 300 * 86_400_000,
    autoRenew: true,
    locked: true,
    privacy: true,
    nameServers: [],
    apiAccess: true,
  })
  await call('POST', '/registrars', z.unknown(), {
    name: 'Porkbun',
    type: 'API_ENABLED',
    provider: 'PORKBUN',
    ...registrarCustomers.PORKBUN,
  })
  await mine.goto('/registrars/unbound')
  await mine.getByRole('searchbox', { name: t('registrars:unbound.search') }).fill(name)
  await mine.getByRole('checkbox', { name }).check()
  await mine.getByRole('button', { name: t('registrars:unbound.bind') }).tap()
  await expect(mine.getByRole('dialog')).toBeVisible()
})
