import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { speedUpImports } from '#server/platform/fast-imports.ts'

// Loaded before everything else.
speedUpImports()
const { runProcess } = await import('#server/entrypoints/run-process.ts')
const { compose } = await import('#server/compose.ts')
const { seedHistory } = await import('#server/demo/history.ts')
const { bindDemoDomains } = await import('#server/demo/trackers.ts')
const { seedOperations } = await import('#server/demo/operations.ts')
const { demoUser } = await import('#server/demo/team.ts')
const { furtherRegions, seedDemo, startDemoWorld } = await import('#server/demo/world.ts')

/** The port, or a free one if it is in use. */
async function findPort(host: string, port: number): Promise<number> {
  for (const tried of [port, 0]) {
    const server = createServer().listen({ host, port: tried })
    const found = await once(server, 'listening').then(
      () => (server.address() as AddressInfo).port,
      () => null,
    )
    server.close()
    if (found !== null) return found
  }
  return port
}

await runProcess(async (given, log) => {
  // The panel itself may be using the default port. A requested port is used, or the start fails.
  const env = { ...given, PORT: process.env['PORT'] === undefined ? await findPort(given.HOST, given.PORT) : given.PORT }
  const demo = await startDemoWorld(env.PORT === 0 ? 0 : await findPort('127.0.0.1', env.PORT + 1))
  const demoEnv = demo.env(env, join(env.DATA_DIR, 'demo'))
  const composition = await compose(demoEnv, log)
  await seedDemo(composition.services, demo)
  const probes: Awaited<ReturnType<typeof compose>>[] = []
  for (const REGION of furtherRegions)
    probes.push(await compose({ ...demoEnv, DATABASE_URL: composition.databaseUrl, ROLE: 'probe', REGION }, log))
  const seeding = new AbortController()
  const services = { ...composition.services, stopping: seeding.signal }
  const logFailure = (msg: string) => (error: unknown) => {
    if (!seeding.signal.aborted) log.error({ err: error }, msg)
  }
  const seeded = Promise.all([
    seedHistory(services).catch(logFailure('failed to create the demo history')),
    bindDemoDomains(services).catch(logFailure('failed to bind the demo domains to trackers')),
    seedOperations(services, demo.slowAccountId).catch(logFailure('failed to start the operations of the demo')),
  ])
  const address = await composition.listen()
  process.stdout.write(
    `Zonedeck is running at ${env.PUBLIC_URL ?? address}\nSign in as ${demoUser.email} with the password ${demoUser.password}\n` +
      `Simulated Telegram with the bot's messages: ${demo.telegramUrl}\n` +
      'This is a demo with sample data and simulated providers. Its data is kept separate from a real panel.\n',
  )
  return {
    async close() {
      // Sample data is written through the composition, which would otherwise wait for it with its database already closing.
      seeding.abort()
      await seeded
      // Each waits for its running calls; one after another they would exceed the time a process has to stop.
      const ended = await Promise.allSettled([...probes, composition].map((each) => each.close()))
      await demo.close()
      for (const end of ended) if (end.status === 'rejected') throw end.reason
    },
  }
})
