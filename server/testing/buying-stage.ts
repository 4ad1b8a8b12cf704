import { expect, onTestFinished } from 'vitest'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import type { Services } from '#server/platform/context.ts'
import type { Log } from '#server/platform/log.ts'
import type { LedgerEntry } from '#server/simulators/registrars/market.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import { signIn } from './app.ts'
import type { SignedIn } from './app.ts'
import { emptyTables } from './empty-tables.ts'
import { insertAccount } from './factories.ts'
import { createTestPanel } from './panel.ts'
import type { TestPanel } from './panel.ts'
import { registrarKeys } from './test-registrars.ts'
import type { TestRegistrars } from './test-registrars.ts'

/** In every identifying field of a contact. */
export const person = 'canary-of-a-person'
export const anna = {
  firstName: person,
  lastName: person,
  email: `${person}@people.example`,
  phone: '+7 (916) 123-45-67',
  address: person,
  city: person,
  region: person,
  postalCode: '125009',
  country: 'ru',
  extra: { passport: person },
} as const

interface Belongings {
  accountIds: string[]
  registrarIds: Map<RegistrarProvider, string>
  contactId: string
}

/** A panel with four registrars in which a person buys names. */
export function createBuyingStage() {
  let panel: TestPanel | undefined
  let world: TestRegistrars | undefined
  let ann: SignedIn | undefined
  let own: Belongings | undefined

  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the stage has not started')
    return value
  }

  const stage = {
    /** The simulated registry shows name servers as soon as registrars set them. */
    shown: false,
    get panel(): TestPanel {
      return present(panel)
    },
    get world(): TestRegistrars {
      return present(world)
    },
    get ann(): SignedIn {
      return present(ann)
    },
    get contactId(): string {
      return present(own).contactId
    },
    get accountIds(): string[] {
      return present(own).accountIds
    },
  }

  /** Gives a person the world's Cloudflare accounts, all registrars and a contact. */
  const createBelongings = async (me: SignedIn): Promise<Belongings> => {
    const { services } = stage.panel
    const accountIds: string[] = []
    for (const index of [0, 1]) {
      const { email, globalKey, userId } = stage.panel.credential(index)
      const owner = { ownerId: me.user.id, email, providerUserId: userId }
      accountIds.push((await insertAccount(services.db, owner, { secrets: services.secrets, apiKey: globalKey })).id)
    }
    const registrarIds = new Map<RegistrarProvider, string>()
    for (const provider of ['NAMECHEAP', 'GODADDY', 'PORKBUN', 'REGRU'] as const) {
      const name = provider.toLowerCase()
      const { registrar } = await me.call.registrars.create({ name, type: 'API_ENABLED', provider, ...registrarKeys[provider] })
      registrarIds.set(provider, registrar.id)
    }
    const { contact } = await me.call.buying.contacts.create({ name: 'Anna', ...anna })
    return { accountIds, registrarIds, contactId: contact.id }
  }
  const registrarOf = (provider: RegistrarProvider) => present(own).registrarIds.get(provider) ?? ''
  const check = (provider: RegistrarProvider, names: readonly string[], me = stage.ann) =>
    me.call.buying.check({ registrarId: registrarOf(provider), names: [...names] })
  const itemsOf = (id: string, me = stage.ann) => me.call.operations.items({ id, limit: 1_000 })

  return Object.assign(stage, {
    async start(log?: Log): Promise<void> {
      panel = await createTestPanel({
        world: { zones: 2, accounts: 2, recordsPerZone: 2 },
        registrarNames: ['held-here.com'],
        ...(log === undefined ? {} : { log }),
      })
      if (panel.registrars === null) throw new Error('no registrars')
      world = panel.registrars
      world.market.onDelegation((name, nameServers) => {
        if (stage.shown) panel?.simulator.state.registrarNameServers.set(name, nameServers)
      })
    },
    async reset(): Promise<void> {
      stage.shown = false
      stage.panel.simulator.reset()
      for (const simulator of Object.values(stage.world.simulators)) simulator.faults.clear()
      await emptyTables(stage.panel.services.db, 'users')
      ann = await signIn(stage.panel.services)
      own = await createBelongings(ann)
    },
    createBelongings,
    registrarOf,
    check,
    /** As confirmed by a person. */
    async orderOf(provider: RegistrarProvider, names: readonly string[], more: object = {}) {
      const { results } = await check(provider, names)
      const wanted = results.map((answer) => {
        const offer = answer.state === 'available' ? { price: answer.price ?? { minor: 1, currency: 'USD' }, years: answer.years } : null
        const usual = { price: { minor: 1_098, currency: 'USD' }, years: 1 }
        return { name: answer.name, registrarId: registrarOf(provider), ...(offer ?? usual) }
      })
      return { names: wanted, accountIds: stage.accountIds, contactId: stage.contactId, ipAddress: '192.0.2.7', ...more }
    },
    async run(services: Services = stage.panel.services) {
      const runner = await startOperations(services, operationKinds, { pollMs: 20 })
      onTestFinished(() => runner.stop())
      return runner
    },
    itemsOf,
    ends: (id: string, me = stage.ann) =>
      expect.poll(async () => (await itemsOf(id, me)).operation.state, { timeout: 30_000, interval: 20 }).toBe('done'),
    sold: (...names: string[]): LedgerEntry[] => stage.world.market.ledger.filter(({ name }) => names.includes(name)),
    serversAt: (provider: RegistrarProvider, name: string) => stage.world.accounts[provider].names.get(name)?.nameServers,
    simZone(name: string) {
      const [zone] = stage.panel.simulator.state.zonesNamed(name)
      if (zone === undefined) throw new Error(`${name} has no zone`)
      return zone
    },
    /** Makes waiting items due, and sent orders older by this time. */
    async wait(seconds: number): Promise<void> {
      const { sql } = stage.panel.services.db
      await sql`update purchases set sent_at = sent_at - ${seconds} * interval '1 second' where state = 'sent'`
      await sql`update operation_items set wait_until = now() where state = 'waiting'`
    },
    /** Sets the number of attempts, and lets the item wait. */
    tried: (attempts: number) =>
      expect
        .poll(() => stage.panel.services.db.sql`select state, attempts from operation_items`, { timeout: 30_000, interval: 20 })
        .toEqual([{ state: 'waiting', attempts }]),
    stepsOf: async (id: string) => (await itemsOf(id)).items.map(({ steps }) => steps?.map(({ step, state }) => `${step} ${state}`)),
    errorOf: (promise: Promise<unknown>) =>
      promise.then(
        () => null,
        (error: unknown) => error,
      ),
  })
}
