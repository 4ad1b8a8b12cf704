import { textOfCode } from '../errors.ts'
import type { Operation } from '../procedures.gen.ts'
import { UsageError } from './context.ts'
import type { Command, CommandContext, ExitCode } from './context.ts'
import { bar, listed } from './print.ts'

export const listOperations: Command = async ({ panel, io, format, options }) => {
  const state = options['active'] === true ? 'active' : undefined
  const { operations } = await panel.operations.list({ state, limit: Number(options['limit'] ?? 50) })
  const rows = operations.map(({ id, kind, state: now, done, failed, total, actorName, createdAt }) => ({
    id,
    kind,
    state: now,
    done,
    failed,
    total,
    by: actorName,
    created: createdAt,
  }))
  io.out(listed(format, rows, ['id', 'kind', 'state', 'done', 'failed', 'total', 'by', 'created'], operations))
  return 0
}

const endingOf = ({ state, failed, done }: Operation): ExitCode => {
  if (state === 'done' && failed === 0) return 0
  return done > 0 ? 3 : 1
}

/** Shows how it goes on until it has ended, then what failed. */
export async function watch({ panel, io, format }: CommandContext, id: string): Promise<ExitCode> {
  const { operation, failures } = await panel.operations.wait(id, {
    everyMs: 500,
    onProgress: (now) => io.say(`${now.kind} ${now.state} ${bar(now)}`),
  })
  for (const { domain, code, message } of failures) {
    io.say(`${domain}: ${[code === null ? '' : textOfCode(code), message ?? ''].filter((text) => text !== '').join(' ')}`)
  }
  if (format === 'json') io.out(JSON.stringify({ operation, failures }, null, 2))
  else io.out(`${operation.state}: updated ${operation.done} of ${operation.total} domains`)
  return endingOf(operation)
}

export const watchOperation: Command = async (context) => {
  const [id] = context.names
  if (id === undefined) throw new UsageError('say which operation; `zonedeck operations list` names them')
  return watch(context, id)
}
