import { readEnv } from '#server/config/env.ts'
import { askHealth } from '#server/http/ask-health.ts'

/** For containers: exits with 0 while the process accepts work, otherwise with 1. A process without a listener is not checked. */
const env = readEnv()
const port = env.ROLE === 'all' || env.ROLE === 'web' ? env.PORT : env.METRICS_PORT
process.exitCode = port === undefined || (await askHealth(env.HOST, port)) ? 0 : 1
