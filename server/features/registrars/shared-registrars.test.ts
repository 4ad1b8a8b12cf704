import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operationKinds } from '#server/features/operations/index.ts'
import type { RunItem } from '#server/features/operations/operation-kind.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { porkbunKeys } from '#server/testing/test-registrars.ts'
import { isAtLeast, shareLevels } from '#shared/features/sharing/rules.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'
import { syncDueRegistrars } from './index.ts'

let panel: TestPanel
beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 1, accounts: 1, recordsPerZone: 1 }, registrarNames: [] })
})
afterAll(() => panel.close())

const porkbun = {
  name: 'Pork',
  type: 'API_ENABLED',
  provider: 'PORKBUN',
  email: 'sign-in@owner.example',
  accountPassword: 'word-of-the-owner',
  ...porkbunKeys,
} as const
const wanted = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']
const old = ['ns1.old.net', 'ns2.old.net']
const days = 86_400_000
const refusal = (code: string) => ({ cause: { code } })

/** An owner with an account, an API registrar, a domain bought there, and one name there without a domain. */
async function createWorld() {
  const { services, registrars } = panel
  if (registrars === null) throw new Error('no registrars')
  const owner = await signIn(services, { name: 'Olga' })
  const key = panel.credential(0)
  const account = await insertAccount(
    services.db,
    { ownerId: owner.user.id, email: key.email },
    { secrets: services.secrets, apiKey: key.globalKey },
  )
  for (const name of ['bought.com', 'spare.com']) {
    registrars.account.names.set(name, {
      name,
      createdAtMs: Date.now() - 100 * days,
      expiresAtMs: Date.now() + 30 * days,
      autoRenew: true,
      locked: false,
      privacy: true,
      nameServers: old,
      apiAccess: true,
    })
  }
  const zone = await insertZone(services.db, { ownerId: owner.user.id, accountId: account.id, name: 'bought.com', nameServers: wanted })
  const { registrar } = await owner.call.registrars.create(porkbun)
  await syncDueRegistrars(services, new AbortController().signal)
  return { owner, account, zone, registrar, names: registrars.account.names }
}

let w: Awaited<ReturnType<typeof createWorld>>
let guest: SignedIn
let id: string
beforeEach(async () => {
  await emptyTables(panel.services.db, 'users')
  w = await createWorld()
  id = w.registrar.id
  guest = await signIn(panel.services, { name: 'Gleb' })
})

const share = (level: ShareLevel, accessTarget: { readonly accountId: string } | { readonly registrarId: string } = { registrarId: id }) =>
  w.owner.call.sharing.create({ ...accessTarget, user: guest.user.username, level })
const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name)

describe('R-PRM-02 a shared registrar shows its names, expiries and balance, and no secrets', () => {
  test('R-PRM-02 lists show who shared it and at which level, only while it is shared', async () => {
    expect((await guest.call.registrars.list({})).registrars).toEqual([])
    const { share: given } = await share('view')
    const { registrars } = await guest.call.registrars.list({})
    expect(registrars).toMatchObject([
      {
        id,
        name: 'Pork',
        shared: { by: `Olga · ${w.owner.user.username}`, level: 'view' },
        sharedWith: 0,
        namesCount: 2,
        balance: { currency: 'USD' },
      },
    ])
    expect((await w.owner.call.registrars.list({})).registrars).toMatchObject([{ shared: null, sharedWith: 1 }])
    expect((await guest.call.registrars.list({ ownerId: w.owner.user.id })).registrars).toHaveLength(1)
    expect((await guest.call.registrars.list({ ownerId: guest.user.id })).registrars).toEqual([])
    expect(namesOf((await guest.call.registrars.names({})).names)).toEqual(['bought.com', 'spare.com'])
    expect(namesOf((await guest.call.registrars.expiries({})).expiries)).toEqual(['bought.com', 'spare.com'])
    const { balances, months } = await guest.call.registrars.renewals({})
    expect(balances).toMatchObject([{ registrarId: id, names: 2 }])
    expect(months.reduce((sum, { names }) => sum + names, 0)).toBe(2)

    await w.owner.call.sharing.remove({ id: given.id })
    expect((await guest.call.registrars.list({})).registrars).toEqual([])
    expect((await guest.call.registrars.names({})).names).toEqual([])
    expect((await guest.call.registrars.expiries({})).expiries).toEqual([])
    await expect(guest.call.registrars.get({ id })).rejects.toMatchObject(refusal('not_found'))
  })

  test('R-PRM-02 a user without access to a domain sees the name without it, and not as unbound', async () => {
    await share('view')
    const listed = async (which?: 'bound' | 'unbound') =>
      (await guest.call.registrars.names({ ...(which && { which }) })).names.map(({ name, zoneId: domainId }) => [name, domainId])
    expect(await listed()).toEqual([
      ['bought.com', null],
      ['spare.com', null],
    ])
    expect(await listed('unbound')).toEqual([['spare.com', null]])
    expect((await guest.call.registrars.expiries({})).expiries.map(({ zoneId: domainId }) => domainId)).toEqual([null, null])
    await share('view', { accountId: w.account.id })
    expect(await listed('bound')).toEqual([['bought.com', w.zone.id]])
  })

  test('R-PRM-04 no response contains its secrets or its owner’s login, at any level', async () => {
    for (const level of shareLevels) {
      await share(level)
      const answers = [
        await guest.call.registrars.list({}),
        await guest.call.registrars.get({ id }),
        await guest.call.registrars.names({ registrarId: id }),
        ...(level === 'view' ? [] : [await guest.call.registrars.examine({ id })]),
        ...(level === 'manage' ? [await guest.call.registrars.update({ id, name: 'Pork' })] : []),
      ]
      for (const secret of [porkbunKeys.apiKey, porkbunKeys.apiSecret, porkbun.email, porkbun.accountPassword]) {
        expect(JSON.stringify(answers)).not.toContain(secret)
      }
      expect(answers[1]).toMatchObject({ registrar: { email: null, hasAccountPassword: false, credentialFields: [] } })
      await expect(guest.call.registrars.reveal({ id })).rejects.toMatchObject(refusal('level_too_low'))
    }
  })
})

interface Act {
  readonly what: string
  readonly needed: Level
  readonly act: (who: SignedIn) => Promise<unknown>
}
const acts: readonly Act[] = [
  { what: 'reading it', needed: 'view', act: ({ call }) => call.registrars.get({ id }) },
  { what: 'its names', needed: 'view', act: ({ call }) => call.registrars.names({ registrarId: id }) },
  { what: 'names that are missing', needed: 'view', act: ({ call }) => call.registrars.missing({ id }) },
  { what: 'a check', needed: 'operate', act: ({ call }) => call.registrars.examine({ id }) },
  { what: 'a sync', needed: 'operate', act: ({ call }) => call.registrars.sync({ id }) },
  { what: 'another name', needed: 'manage', act: ({ call }) => call.registrars.update({ id, name: 'Another' }) },
  { what: 'another credential', needed: 'own', act: ({ call }) => call.registrars.update({ id, apiKey: 'pk1_taken' }) },
  { what: 'another email', needed: 'own', act: ({ call }) => call.registrars.update({ id, name: 'Another', email: 'a@b.example' }) },
  { what: 'deletion', needed: 'own', act: ({ call }) => call.registrars.remove({ id }) },
  { what: 'prices', needed: 'own', act: ({ call }) => call.buying.check({ registrarId: id, names: ['new.com'] }) },
  { what: 'access of others', needed: 'own', act: ({ call }) => call.sharing.create({ registrarId: id, user: 'nobody', level: 'view' }) },
]

describe('R-PRM-02 each access level of a registrar allows exactly its actions', () => {
  test.each(acts)('R-PRM-02 $what requires $needed', async ({ needed, act }) => {
    await expect(act(guest)).rejects.toMatchObject(refusal('not_found'))
    for (const level of shareLevels) {
      await share(level)
      if (isAtLeast(level, needed)) await expect(act(guest)).resolves.toBeDefined()
      else await expect(act(guest)).rejects.toMatchObject(refusal('level_too_low'))
    }
  })

  test('R-PRM-02 actions of others on it are in its owner’s activity log with its name', async () => {
    await share('manage')
    await guest.call.registrars.sync({ id })
    await guest.call.registrars.update({ id, name: 'Renamed' })
    const { activityLogs } = await w.owner.call.activity.list({ entityType: 'registrar' })
    const entry = { entityId: id, entityName: 'Pork' }
    expect(activityLogs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...entry, details: { access: { user: guest.user.username, from: null, to: 'manage' } } }),
        expect.objectContaining({ ...entry, action: 'sync', details: { asked: true } }),
        expect.objectContaining({ ...entry, details: { name: { from: 'Pork', to: 'Renamed' } } }),
      ]),
    )
    expect((await w.owner.call.registrars.get({ id })).registrar).toMatchObject({
      name: 'Renamed',
      credentialFields: ['apiKey', 'apiSecret'],
    })
  })
})

describe('R-PRM-02 setting name servers requires operate on both the domain and the registrar', () => {
  const preview = () => guest.call.operations.preview({ request: { kind: 'name_servers', input: {} }, target: { ids: [w.zone.id] } })
  const items = async () => (await guest.call.operations.items({ id: (await preview()).operation.id })).items
  const serversOf = () => w.names.get('bought.com')?.nameServers
  const run = async () => {
    const { services } = panel
    const ctx = { ...services, actor: guest.actor, requestId: 'test', address: null, userAgent: null, origin: null }
    const item = {
      operationId: crypto.randomUUID(),
      position: 0,
      domainId: w.zone.id,
      accountId: '',
      name: 'bought.com',
      attempt: 1,
      worker: 1,
    }
    return operationKinds['name_servers']?.run(ctx, item as unknown as RunItem, {}, new AbortController().signal)
  }

  test('R-PRM-02 nothing is set without the registrar or with a lower level on it', async () => {
    await share('manage', { accountId: w.account.id })
    expect(await items()).toMatchObject([{ code: 'level_too_low' }])
    await expect(run()).rejects.toMatchObject({ code: 'level_too_low' })
    await share('view')
    expect(await items()).toMatchObject([{ code: 'level_too_low' }])
    await expect(run()).rejects.toMatchObject({ code: 'level_too_low' })
    expect(serversOf()).toEqual(old)
  })

  test('R-PRM-02 nothing is set without the domain or with a lower level on it', async () => {
    await share('manage')
    await expect(preview()).rejects.toMatchObject(refusal('not_found'))
    await share('view', { accountId: w.account.id })
    await expect(preview()).rejects.toMatchObject(refusal('level_too_low'))
    await expect(run()).rejects.toMatchObject({ code: 'level_too_low' })
    expect(serversOf()).toEqual(old)
  })

  test('R-PRM-02 with both, name servers are set and the owner’s log records it', async () => {
    await share('operate', { accountId: w.account.id })
    await share('operate')
    expect(await items()).toMatchObject([{ code: null, plan: { after: { nameServers: wanted } } }])
    await run()
    expect(serversOf()).toEqual(wanted)
    const { activityLogs } = await w.owner.call.activity.list({ entityType: 'zone' })
    expect(activityLogs).toMatchObject([{ entityName: 'bought.com', details: { nameServers: { from: old, to: wanted } } }])
  })
})

describe('R-DOM-10 attaching requires the domain and every registrar involved', () => {
  test('R-DOM-10 a domain can be moved between shared registrars, but not away from one that is not shared', async () => {
    const { registrar: other } = await w.owner.call.registrars.create({ name: 'By hand', username: 'anna', password: 'long-secret-word' })
    const attach = (registrarId: string | null) => guest.call.registrars.setOfDomain({ id: w.zone.id, registrarId })
    await share('operate', { accountId: w.account.id })
    await expect(guest.call.registrars.ofDomain({ id: w.zone.id })).rejects.toMatchObject(refusal('level_too_low'))
    await expect(attach(other.id)).rejects.toMatchObject(refusal('not_found'))
    await share('operate', { registrarId: other.id })
    await expect(attach(other.id)).rejects.toMatchObject(refusal('level_too_low'))
    await expect(attach(null)).rejects.toMatchObject(refusal('level_too_low'))
    await share('operate')
    expect(await guest.call.registrars.ofDomain({ id: w.zone.id })).toMatchObject({ registrar: { id }, name: { name: 'bought.com' } })
    await attach(other.id)
    expect((await w.owner.call.domains.get({ id: w.zone.id })).zone.registrarId).toBe(other.id)
  })

  test('R-DOM-10 a user’s own domain cannot be attached to another person’s registrar', async () => {
    const { services } = panel
    const { globalKey: apiKey, email } = panel.credential(0)
    const account = await insertAccount(services.db, { ownerId: guest.user.id, email }, { secrets: services.secrets, apiKey })
    const own = await insertZone(services.db, { ownerId: guest.user.id, accountId: account.id, name: 'own.com' })
    const attach = () => guest.call.registrars.setOfDomain({ id: own.id, registrarId: id })
    await expect(attach()).rejects.toMatchObject(refusal('not_found'))
    await share('manage')
    await expect(attach()).rejects.toMatchObject(refusal('registrar_other_owner'))
  })
})
