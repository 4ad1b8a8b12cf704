import { textOfCode } from '../errors.ts'
import { choices, operationNames } from '../procedures.gen.ts'
import type { Operation, ListOperationsInput } from '../procedures.gen.ts'
import { choiceOf, numberOf } from './context.ts'
import type { Command, CommandContext, ExitCode } from './context.ts'
import { bar, counted, listed } from './print.ts'

/** The panel's maximum page size. */
const longestPage = 200

export const listOperations: Command = async ({ panel, io, format, options }) => {
  const limit = numberOf(options, 'limit', 1) ?? 50
  const { kind, by } = options
  const filter: ListOperationsInput = {
    ...(options['active'] === true && { state: 'active' }),
    ...(typeof kind === 'string' && { kind: choiceOf('--kind', kind, choices.operationKind) }),
    ...(typeof by === 'string' && { ownerId: by }),
    ...(options['failed'] === true && { result: 'failed' as const }),
  }
  const operations: Operation[] = []
  let more = false
  for await (const operation of panel.operations.list.all({ ...filter, limit: Math.min(limit + 1, longestPage) })) {
    more = operations.length === limit
    if (more) break
    operations.push(operation)
  }
  const rows = operations.map(({ id, kind, subject, undoOfKind, state: now, done, attention, failed, total, actorName, createdAt }) => ({
    id,
    kind,
    about: [undoOfKind, subject].filter((part) => part !== null).join(' ') || (operationNames[kind] ?? kind),
    state: now,
    done,
    attention,
    failed,
    total,
    by: actorName,
    created: createdAt,
  }))
  io.out(listed(format, rows, ['id', 'kind', 'about', 'state', 'done', 'attention', 'failed', 'total', 'by', 'created'], operations))
  if (more) io.say(`Showing the first ${limit}; use --limit N to show more.`)
  return 0
}

const endingOf = ({ state, failed, done, attention }: Operation): ExitCode => {
  if (state === 'done' && failed === 0 && attention === 0) return 0
  return done > 0 ? 3 : 1
}

/** Shows the progress until the operation finishes, then failed items and items that need a person. */
export async function watch({ panel, io, format }: CommandContext, id: string): Promise<ExitCode> {
  const { operation, failures, attention } = await panel.operations.wait(id, {
    everyMs: 500,
    onAway: ({ message }) => io.say(`${message}; retrying`),
    onProgress: (now) => io.say(`${now.kind} ${now.state} ${bar(now)}`),
  })
  for (const { domain, code, message } of [...failures, ...attention]) {
    io.say(`${domain}: ${[code === null ? '' : textOfCode(code), message ?? ''].filter((text) => text !== '').join(' ')}`)
  }
  if (format === 'json') io.out(JSON.stringify({ operation, failures, attention }, null, 2))
  else {
    const needed = operation.attention === 0 ? '' : `, ${operation.attention} ${operation.attention === 1 ? 'needs' : 'need'} attention`
    io.out(
      `${operation.state}: updated ${operation.done} of ${counted(operation.total, operation.kind === 'redirects' ? 'item' : 'domain')}${needed}`,
    )
  }
  return endingOf(operation)
}

export const watchOperation: Command = (context) => watch(context, context.names[0] ?? '')
