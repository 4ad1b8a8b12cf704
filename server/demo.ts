import { join } from 'node:path'
import { quickenImports } from '#server/quicken-imports.ts'

// Before anything else is loaded.
quickenImports()
const { runProcess } = await import('#server/run-process.ts')
const { compose } = await import('#server/compose.ts')
const { demoUser, seedDemo, startDemoWorld } = await import('#server/demo-world.ts')

await runProcess(async (env, log) => {
  const demo = await startDemoWorld()
  const composition = await compose(demo.env(env, join(env.DATA_DIR, 'demo')), log)
  await seedDemo(composition.services, demo.world)
  const address = await composition.listen()
  process.stdout.write(
    `Zonedeck is at ${env.PUBLIC_URL ?? address}\nSign in with ${demoUser.email} and the password ${demoUser.password}\n` +
      'This is a demo: its accounts, domains and Cloudflare are made up, and its data is apart from the real panel\n',
  )
  return {
    async close() {
      await composition.close()
      await demo.close()
    },
  }
})
