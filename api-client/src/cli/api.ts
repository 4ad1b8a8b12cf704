import { arrange, ArrangeError, coerceText, fieldsOf, schemaOf } from '../rest/arrange.ts'
import { matchPath, searchCalls } from '../rest/calls.ts'
import type { RestCall } from '../rest/calls.ts'
import type { RestAnswer } from '../rest/rest.ts'
import { confirmed, UsageError } from './context.ts'
import type { Command, CommandContext, ExitCode } from './context.ts'
import { watch } from './operations.ts'
import { listed } from './print.ts'

type Fields = Record<string, unknown>

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listCalls: Command = async ({ rest, io, format, names }) => {
  const calls = searchCalls(await rest.calls(), names)
  const rows = calls.map(({ name, method, path, summary }) => ({ name, method, path, summary }))
  io.out(listed(format, rows, ['name', 'method', 'path', 'summary'], rows))
  return 0
}

/** Finds a call by its name or by method and path. @throws UsageError if it does not exist */
async function findCall({ rest, names }: CommandContext): Promise<{ call: RestCall; params: Fields; rest: readonly string[] }> {
  const calls = await rest.calls()
  const [first = '', second = '', ...others] = names
  if (/^(get|post|put|patch|delete)$/i.test(first)) {
    const found = matchPath(calls, first, second)
    if (found === null) throw new UsageError(`unknown call ${first.toUpperCase()} ${second}; to find calls, run zonedeck api list WORD`)
    const params = Object.fromEntries(Object.entries(found.params).filter(([, value]) => !value.startsWith('{')))
    const query = new URLSearchParams(second.split('?')[1] ?? '')
    return {
      call: found.call,
      params: {
        ...params,
        ...pairs(
          found.call,
          [...query].map(([name, value]) => `${name}=${value}`),
        ),
      },
      rest: others,
    }
  }
  const call = calls.find(({ name }) => name === first)
  if (call !== undefined) return { call, params: {}, rest: names.slice(1) }
  const near = searchCalls(
    calls,
    first.split('.').filter((part) => part !== ''),
  ).slice(0, 5)
  const hint = near.length === 0 ? 'to find calls, run zonedeck api list WORD' : `did you mean ${near.map(({ name }) => name).join(', ')}?`
  throw new UsageError(`unknown call "${first}"; ${hint}`)
}

/** Parses `name=value` pairs; a dotted name is a nested field. @throws UsageError */
function pairs(call: RestCall, words: readonly string[]): Fields {
  const fields: Fields = {}
  for (const word of words) {
    const at = word.indexOf('=')
    if (at < 1)
      throw new UsageError(`"${word}" is not in the form NAME=VALUE; ${call.name} accepts ${fieldsOf(call).join(', ') || 'no fields'}`)
    const [name, text] = [word.slice(0, at), word.slice(at + 1)]
    const path = name.split('.')
    const last = path.pop() ?? ''
    let home = fields
    for (const part of path) home = (home[part] ??= {}) as Fields
    home[last] = coerceText(schemaOf(call, name) ?? {}, text)
  }
  return fields
}

export const describeCall: Command = async (context) => {
  const { call } = await findCall(context)
  const { io, format } = context
  if (format === 'json') {
    io.out(JSON.stringify(call, null, 2))
    return 0
  }
  io.out(`${call.name}: ${call.summary}`)
  io.out(`${call.method} /api${call.path}${call.previews ? '   (supports --preview)' : ''}`)
  for (const name of fieldsOf(call)) {
    const schema = schemaOf(call, name) ?? {}
    const parameter = call.parameters.find((each) => each.name === name)
    const required = parameter?.required === true || call.body?.required?.includes(name) === true
    const about = parameter?.description ?? schema.description
    io.out(`  ${name}${required ? ' (required)' : ''}: ${typeText(schema)}${about === undefined ? '' : `  # ${about}`}`)
  }
  for (const { lang, source } of call.examples) io.out(`\n${lang}:\n${source}`)
  return 0
}

/** A short description of a schema. */
function typeText(schema: NonNullable<ReturnType<typeof schemaOf>>): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return [...new Set(options.map(typeText))].join(' | ')
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`
  if (schema.properties !== undefined)
    return `{ ${Object.entries(schema.properties)
      .map(([name, of]) => `${name}: ${typeText(of)}`)
      .join('; ')} }`
  return `${[schema.type ?? 'any'].flat().join(' | ')}${schema.format === undefined ? '' : ` (${schema.format})`}`
}

async function inputOf(context: CommandContext, call: RestCall, words: readonly string[]): Promise<Fields> {
  const { io, options } = context
  const file = options['input']
  if (typeof file !== 'string') return pairs(call, words)
  let given: unknown
  try {
    given = JSON.parse(await io.read(file))
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isRecord(given)) throw new UsageError(`${file} must contain a JSON object`)
  return { ...given, ...pairs(call, words) }
}

function print({ io }: CommandContext, { data, isText }: RestAnswer): void {
  if (isText) io.out(String(data).replace(/\r?\n$/, ''))
  else if (data !== null) io.out(JSON.stringify(data, null, 2))
}

const operationIn = (data: unknown): { id: string; state: string } | null => {
  const operation = isRecord(data) ? data['operation'] : undefined
  return isRecord(operation) && typeof operation['id'] === 'string' ? { id: operation['id'], state: String(operation['state']) } : null
}

/** Watches the operation that the call has started if `--wait` is given. */
async function finish(context: CommandContext, answer: RestAnswer): Promise<ExitCode> {
  const operation = operationIn(answer.data)
  if (context.options['wait'] === true && operation !== null && operation.state !== 'draft') return watch(context, operation.id)
  print(context, answer)
  return 0
}

/** Makes one API call. A write is shown first and asks for confirmation. */
export const callApi: Command = async (context) => {
  const { io, rest, panel, options } = context
  const { call, params, rest: words } = await findCall(context)
  try {
    const given = { ...params, ...(await inputOf(context, call, words)) }
    const request = arrange(call, given)
    if (call.reads) return await finish(context, await rest.send(request))

    io.say(`${request.method} /api${request.path}`)
    if (request.body !== null && Object.keys(request.body).length > 0) io.say(JSON.stringify(request.body, null, 2))
    if (options['preview'] === true && !call.previews) throw new UsageError(`${call.name} has no preview`)
    const planned = call.previews && options['yes'] !== true ? await rest.send(arrange(call, given, true)) : null
    const draft = operationIn(planned?.data)
    if (planned !== null) print({ ...context, io: options['preview'] === true ? io : { ...io, out: io.say } }, planned)
    // Starts the draft that was shown.
    let started = false
    try {
      if (options['preview'] === true || !(await confirmed(context))) return 0
      if (draft === null) return await finish(context, await rest.send(request))
      const { operation } = await panel.operations.start({ id: draft.id })
      started = true
      return await finish(context, { status: 202, data: { operation }, isText: false })
    } finally {
      if (draft !== null && !started) await panel.operations.discard({ id: draft.id }).catch(() => undefined)
    }
  } catch (error) {
    throw error instanceof ArrangeError ? new UsageError(error.message) : error
  }
}
