import { textOfCode } from '../errors.ts'
import type { Input } from '../calls.ts'
import type { DnsRecord } from '../procedures.gen.ts'
import { confirmed, UsageError } from './context.ts'
import type { Command, CommandContext } from './context.ts'
import { findDomain } from './domains.ts'
import { watch } from './operations.ts'
import { listed } from './print.ts'

type Creates = NonNullable<Extract<Input<'operations.previewChange'>['change'], { readonly kind: 'record' }>['creates']>
type RecordType = Creates[number]['type']

const line = ({ type, name, content, ttl, proxied }: DnsRecord) => `${type} ${name} ${content} ttl ${ttl}${proxied ? ' proxied' : ''}`

/** What a change would do, shown before it is asked whether to do it; false where there is nothing to do or nobody wants it. */
async function agreed(context: CommandContext, ...asked: [Input<'operations.previewChange'>, readonly string[]]): Promise<boolean> {
  const { panel, io } = context
  const [question, lines] = asked
  const { preview } = await panel.operations.previewChange(question)
  for (const text of lines) io.say(text)
  for (const danger of preview.dangers) io.say(`careful: ${danger}`)
  if (preview.refused !== null) throw new Error(textOfCode(preview.refused))
  if (preview.unchanged) {
    io.out('It is so already.')
    return false
  }
  io.say(`${preview.calls} calls to the provider`)
  return confirmed(context)
}

export const listRecords: Command = async (context) => {
  const { panel, io, format, names, options } = context
  const { id } = await findDomain(context, names[0])
  const { records } = await panel.records.list({ id })
  const type = typeof options['type'] === 'string' ? options['type'].toUpperCase() : undefined
  const wanted = records.filter((record) => type === undefined || record.type === type)
  const rows = wanted.map(({ type: of, name, content, ttl, proxied, priority, id: record }) => ({
    type: of,
    name,
    content,
    ttl,
    proxied,
    priority,
    id: record,
  }))
  io.out(listed(format, rows, ['type', 'name', 'content', 'ttl', 'proxied', 'priority', 'id'], wanted))
  return 0
}

const numberOf = (options: CommandContext['options'], name: string): number | undefined => {
  const given = options[name]
  if (given === undefined) return undefined
  if (!/^\d+$/.test(String(given))) throw new UsageError(`--${name} is a number`)
  return Number(given)
}

export const addRecord: Command = async (context) => {
  const { panel, io, format, names, options } = context
  const [domain, type, name, content] = names
  if (type === undefined || name === undefined || content === undefined) throw new UsageError('dns add DOMAIN TYPE NAME CONTENT')
  const zone = await findDomain(context, domain)
  const ttl = numberOf(options, 'ttl')
  const priority = numberOf(options, 'priority')
  const record = {
    type: type.toUpperCase() as RecordType,
    name,
    content,
    ...(ttl !== undefined && { ttl }),
    ...(priority !== undefined && { priority }),
    ...(options['proxied'] === true && { proxied: true }),
  }
  const shown = `+ ${record.type} ${name} ${content} in ${zone.displayName}`
  if (!(await agreed(context, { id: zone.id, change: { kind: 'record', creates: [record] } }, [shown]))) return 0
  const made = (await panel.records.create({ id: zone.id, ...record })).record
  io.out(format === 'json' ? JSON.stringify(made, null, 2) : `Added ${line(made)}`)
  return 0
}

export const deleteRecords: Command = async (context) => {
  const { panel, io, names } = context
  const [domain, ...ids] = names
  if (ids.length === 0) throw new UsageError('dns delete DOMAIN RECORD-ID…; `zonedeck dns list DOMAIN` names them')
  const { id } = await findDomain(context, domain)
  const { records } = await panel.records.list({ id })
  const gone = ids.map((recordId) => {
    const record = records.find((each) => each.id === recordId)
    if (record === undefined) throw new UsageError(`${domain} has no record ${recordId}`)
    return record
  })
  const shown = gone.map((record) => `- ${line(record)}`)
  if (!(await agreed(context, { id, change: { kind: 'record', deletes: ids } }, shown))) return 0
  let done = 0
  for (const recordId of ids) {
    try {
      await panel.records.remove({ id, recordId })
      done += 1
    } catch (error) {
      io.say(`${recordId}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  io.out(`Deleted ${done} of ${ids.length} records`)
  return done === ids.length ? 0 : done > 0 ? 3 : 1
}

export const purge: Command = async (context) => {
  const { panel, io, names } = context
  if (names.length === 0) throw new UsageError('purge DOMAIN…')
  const domains = []
  for (const name of names) domains.push(await findDomain(context, name))
  const preview = await panel.operations.preview({
    request: { kind: 'purge', input: {} },
    target: { ids: domains.map(({ id }) => id) },
  })
  const { id, total } = preview.operation
  io.say(`The cache of ${total} domains would be emptied with ${preview.calls} calls to the provider`)
  for (const [danger, count] of Object.entries(preview.dangers)) io.say(`careful: ${danger} (${count})`)
  if (!(await confirmed(context))) {
    await panel.operations.discard({ id })
    return 0
  }
  await panel.operations.start({ id })
  return watch(context, id)
}
