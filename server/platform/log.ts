import { pino, stdTimeFunctions } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { currentTraceId } from '#server/platform/tracing.ts'

export type Log = Logger

/** Fields whose values are never logged, at any depth. */
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
  'passwordHash',
  'apiKeySealed',
  'passwordSealed',
]
const paths = secretNames.flatMap((name) => {
  const part = /^[a-zA-Z]+$/.test(name) ? name : `["${name}"]`
  const under = (prefix: string) => (part.startsWith('[') ? `${prefix}${part}` : `${prefix}.${part}`)
  return [part, under('*'), under('*.*')]
})

/**
 * Logged fields of an error: never what libraries attach to it (headers, statement parameters), nor the parameters that drizzle puts into
 * the message.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, cause } = error
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: name,
    message: message.replace(/\nparams: .*$/s, ''),
    ...('code' in error ? { code: error.code } : {}),
    stack: frames.join('\n'),
    ...(cause instanceof Error ? { cause: describeError(cause) } : {}),
  }
}

/** Links log lines to their trace. */
function traceOf(): object {
  const traceId = currentTraceId()
  return traceId === null ? {} : { traceId }
}

export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    redact: { paths, censor: '[hidden]' },
    timestamp: stdTimeFunctions.isoTime,
    base: null,
    serializers: { err: describeError },
    mixin: traceOf,
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
