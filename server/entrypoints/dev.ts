import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { compose } from '#server/compose.ts'
import { environmentOfChild } from '#server/config/env.ts'
import { demoUser } from '#server/demo/team.ts'
import { seedDemo, startDemoWorld } from '#server/demo/world.ts'
import { runProcess } from '#server/entrypoints/run-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const clientPort = 5173

/** The simulators and PostgreSQL keep running while the server restarts after file changes. */
await runProcess(async (real, log) => {
  const demo = await startDemoWorld()
  const env = demo.env(real, join(real.DATA_DIR, 'dev'))
  const base = await compose({ ...env, ROLE: 'probe' }, log)
  await seedDemo(base.services, demo)

  const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/entrypoints/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: environmentOfChild({
      DATABASE_URL: base.databaseUrl,
      DATA_DIR: env.DATA_DIR,
      CLOUDFLARE_BASE_URL: env.CLOUDFLARE_BASE_URL,
      ...(env.NAMECHEAP_BASE_URL === undefined ? {} : { NAMECHEAP_BASE_URL: env.NAMECHEAP_BASE_URL }),
      ...(env.GODADDY_BASE_URL === undefined ? {} : { GODADDY_BASE_URL: env.GODADDY_BASE_URL }),
      PORKBUN_BASE_URL: env.PORKBUN_BASE_URL,
      REGRU_BASE_URL: env.REGRU_BASE_URL,
      CLOUDFLARE_BUDGET: `${env.CLOUDFLARE_BUDGET.limit}/${env.CLOUDFLARE_BUDGET.windowMs / 1000}`,
      DNS_SERVERS: env.DNS_SERVERS.join(','),
      RDAP_BOOTSTRAP_URL: env.RDAP_BOOTSTRAP_URL,
      ...(env.CHECK_VIA === undefined ? {} : { CHECK_VIA: `${env.CHECK_VIA.host}:${env.CHECK_VIA.httpPort}/${env.CHECK_VIA.httpsPort}` }),
      ...(env.CHECK_ROOTS === undefined ? {} : { CHECK_ROOTS: env.CHECK_ROOTS }),
      OUTBOUND_ALLOW: env.OUTBOUND_ALLOW.join(','),
      TELEGRAM_BASE_URL: env.TELEGRAM_BASE_URL,
    }),
  })
  const target = `http://${env.HOST}:${env.PORT}`
  const client = await createServer({
    configFile: join(root, 'client/vite.config.ts'),
    server: { port: clientPort, proxy: { '/api': { target }, '/trpc': { target } } },
  })
  await client.listen()
  process.stdout.write(
    `Zonedeck with live reload: http://127.0.0.1:${clientPort}\nSign in as ${demoUser.email} with the password ${demoUser.password}\n`,
  )
  return {
    async close() {
      await client.close()
      const ended = once(server, 'exit')
      if (server.exitCode === null && server.kill('SIGTERM')) await ended
      await base.close()
      await demo.close()
    },
  }
})
