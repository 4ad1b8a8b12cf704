import { pino, stdTimeFunctions } from 'pino'
import type { DestinationStream, Logger } from 'pino'

export type Log = Logger

/** Fields whose value is never written, wherever they stand in a logged object. */
const secretNames = [
  'password',
  'passwordConfirmation',
  'apiKey',
  'apiSecret',
  'token',
  'authorization',
  'cookie',
  'secret',
  'x-auth-key',
  'x-xsrf-token',
]
const paths = secretNames.flatMap((name) => {
  const part = /^[a-zA-Z]+$/.test(name) ? name : `["${name}"]`
  const under = (prefix: string) => (part.startsWith('[') ? `${prefix}${part}` : `${prefix}.${part}`)
  return [part, under('*'), under('*.*')]
})

export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, redact: { paths, censor: '[hidden]' }, timestamp: stdTimeFunctions.isoTime, base: null }
  return destination === undefined ? pino(options) : pino(options, destination)
}
