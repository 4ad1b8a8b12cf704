import { EnvironmentError, readEnv } from '#server/config/env.ts'
import type { Env } from '#server/config/env.ts'
import { isDriverFault } from '#server/db/driver-fault.ts'
import { createLog } from '#server/platform/log.ts'
import type { Log } from '#server/platform/log.ts'

/** Longer than any request may take; requests still running then are aborted. */
const patienceMs = 20_000
/** A signal this soon after the first is a duplicate. */
const echoMs = 500

/**
 * Runs a process from its environment to its exit. Invalid variables are reported one per line; SIGTERM and SIGINT stop it gracefully, a
 * second signal immediately.
 */
export async function runProcess(start: (env: Env, log: Log) => Promise<{ close(): Promise<void> }>): Promise<void> {
  let env: Env
  try {
    env = readEnv()
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
    return
  }
  const log = createLog(env.LOG_LEVEL)
  const fatal = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error')
    process.exit(1)
  }
  const uncaught = (error: unknown) => {
    if (isDriverFault(error)) log.warn({ err: error }, 'lost a database connection')
    else fatal(error)
  }
  process.on('uncaughtException', uncaught)
  process.on('unhandledRejection', uncaught)

  const starting = start(env, log)
  let endingSince: number | null = null
  const end = (signal: NodeJS.Signals) => {
    if (endingSince !== null) {
      // Ctrl+C under npm arrives twice: from the terminal and forwarded by npm.
      if (Date.now() - endingSince > echoMs) process.exit(1)
      return
    }
    endingSince = Date.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('failed to stop in time')
      process.exit(1)
    }, patienceMs).unref()
    void starting
      .then((running) => running.close())
      .then(() => {
        log.info('stopped')
        process.exit(0)
      })
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)

  try {
    await starting
  } catch (error) {
    if (error instanceof EnvironmentError) {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    }
    log.fatal({ err: error }, 'failed to start')
    process.stderr.write(`Zonedeck failed to start: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}
