import { readEnv } from '#server/config/env.ts'
import { askHealth } from '#server/http/ask-health.ts'

/** For containers: ends with 0 while the process beside it takes work, else with 1. A process that listens nowhere is not asked. */
const env = readEnv()
const port = env.ROLE === 'all' || env.ROLE === 'web' ? env.PORT : env.METRICS_PORT
process.exitCode = port === undefined || (await askHealth(env.HOST, port)) ? 0 : 1
