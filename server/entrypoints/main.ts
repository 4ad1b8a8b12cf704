import { speedUpImports } from '#server/platform/fast-imports.ts'

// Loaded before everything else.
speedUpImports()
const { runProcess } = await import('#server/entrypoints/run-process.ts')
const { compose } = await import('#server/compose.ts')

await runProcess(async (env, log) => {
  const composition = await compose(env, log)
  const address = await composition.listen()
  if (address !== null && (env.ROLE === 'all' || env.ROLE === 'web'))
    process.stdout.write(`Zonedeck is running at ${env.PUBLIC_URL ?? address}\n`)
  else log.info({ role: env.ROLE, address }, 'running in the background')
  return composition
})
