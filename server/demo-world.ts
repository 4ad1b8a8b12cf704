import type { Env } from '#server/config/env.ts'
import type { Services } from '#server/platform/context.ts'
import { registryOf } from '#server/simulators/cloudflare/registry.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { startDnsSimulator } from '#server/simulators/dns.ts'
import { registryOfWorld, startRdapSimulator } from '#server/simulators/rdap.ts'
import { registrarCustomers, startRegistrarWorld } from '#server/simulators/registrar-world.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { World } from '#server/simulators/world.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { t } from '#server/transports/trpc/trpc.ts'
import { AppError } from '#shared/errors/app-error.ts'

export const demoUser = { email: 'demo@example.com', password: 'demo-panel', name: 'Demo' }

const dayMs = 86_400_000
/** Ten times what Cloudflare allows, so that a new demo is full within a minute or two. */
const budget = { limit: 12_000, windowMs: 300_000 }

export interface DemoWorld {
  readonly world: World
  /** What the server must be told to live in this world, with its data apart from the real one's. */
  env(real: Env, folder: string): Env
  close(): Promise<void>
}

/** Simulated providers on free ports of this machine. They tell the same story at every start of a day. */
export async function startDemoWorld(): Promise<DemoWorld> {
  const nowMs = Math.floor(Date.now() / dayMs) * dayMs
  const world = buildWorld({ zones: 2000, accounts: 12, seed: 1, nowMs })
  const simulator = await startCloudflareSimulator({
    world,
    latencyMs: { min: 10, max: 60 },
    budget: { limit: budget.limit, windowMs: budget.windowMs },
  })
  const dns = await startDnsSimulator((name) => registryOf(simulator.state)(name))
  const registrars = await startRegistrarWorld({
    world,
    latencyMs: 40,
    onDelegation: (name, nameServers) => simulator.state.registrarNameServers.set(name, nameServers),
  })
  const rdap = await startRdapSimulator({
    find: registryOfWorld(registrars.market, (name) => simulator.state.zonesNamed(name)[0] ?? null),
    latencyMs: 120,
  })
  return {
    world,
    async close() {
      await rdap.close()
      await registrars.close()
      await dns.close()
      await simulator.close()
    },
    env: (real, folder) => ({
      ...real,
      DATABASE_URL: undefined,
      DATA_DIR: folder,
      CLOUDFLARE_BASE_URL: simulator.url,
      ...registrars.urls,
      CLOUDFLARE_BUDGET: budget,
      DNS_SERVERS: [dns.address],
      RDAP_BOOTSTRAP_URL: rdap.url,
      OUTBOUND_ALLOW: [...real.OUTBOUND_ALLOW, '127.0.0.1/32'],
    }),
  }
}

/** The demo user with the world's accounts, through the same door as everybody; what is there already stays. */
export async function seedDemo(services: Services, world: World): Promise<void> {
  const ctx = {
    ...services,
    requestId: 'demo',
    address: null,
    userAgent: null,
    origin: null,
    recheck: () => Promise.resolve(),
  }
  const createCaller = t.createCallerFactory(appRouter)
  const guest = createCaller({ ...ctx, actor: null })
  const { email, password, name } = demoUser
  const { firstUser } = await guest.auth.config()
  const answer = firstUser
    ? await guest.auth.register({ email, name, password, passwordConfirmation: password })
    : await guest.auth.login({ email, password }).catch((error: unknown) => {
        if (error instanceof Error && error.cause instanceof AppError && error.cause.code === 'invalid_credentials') return null
        throw error
      })
  // Somebody has tried out another password.
  if (answer === null) return
  // Somebody tries out two-factor sign-in: what there is stays as it is.
  if ('secondFactor' in answer) return
  const demo = createCaller({ ...ctx, actor: await services.sessions.find(answer.token) })
  const text = world.credentials.map(({ email, globalKey }) => `${email}:${globalKey}`).join('\n')
  await demo.accounts.addMany({ text, skipFaulty: true })
  if (firstUser) {
    const api = { type: 'API_ENABLED' } as const
    await demo.registrars.create({ ...api, name: 'Namecheap', provider: 'NAMECHEAP', ...registrarCustomers.NAMECHEAP })
    await demo.registrars.create({ ...api, name: 'GoDaddy', provider: 'GODADDY', ...registrarCustomers.GODADDY })
    await demo.registrars.create({ ...api, name: 'Porkbun', provider: 'PORKBUN', ...registrarCustomers.PORKBUN })
    await demo.registrars.create({ ...api, name: 'REG.RU', provider: 'REGRU', ...registrarCustomers.REGRU })
    await demo.registrars.create({ name: 'Nameshop', username: 'demo', password: 'demo-password', apiUrl: 'https://nameshop.example' })
  }
  await demo.auth.logout()
}
