import { textOfCode, textOfWarning } from '../errors.ts'
import type { Input } from '../calls.ts'
import { choices } from '../procedures.gen.ts'
import type { DnsRecord } from '../procedures.gen.ts'
import { choiceOf, confirmed, numberOf, UsageError } from './context.ts'
import type { Command, CommandContext, ExitCode } from './context.ts'
import { filterOf, findDomain } from './domains.ts'
import { watch } from './operations.ts'
import { counted, listed } from './print.ts'

const line = ({ type, name, content, ttl, proxied }: DnsRecord) => `${type} ${name} ${content} ttl ${ttl}${proxied ? ' proxied' : ''}`

/** Shows the preview of a change and asks for confirmation; false if there is nothing to do or the answer is no. */
async function agreed(context: CommandContext, ...asked: [Input<'operations.previewChange'>, readonly string[]]): Promise<boolean> {
  const { panel, io } = context
  const [question, lines] = asked
  const { preview } = await panel.operations.previewChange(question)
  for (const text of lines) io.say(text)
  for (const danger of preview.dangers) io.say(`Warning: ${textOfWarning(danger)}`)
  if (preview.refused !== null) throw new Error(textOfCode(preview.refused))
  if (preview.unchanged) {
    io.out('No change')
    return false
  }
  io.say(`${counted(preview.calls, 'call')} to the provider`)
  return confirmed(context)
}

export const listRecords: Command = async (context) => {
  const { panel, io, format, names, options } = context
  const { id } = await findDomain(context, names[0])
  const { records } = await panel.records.list({ id })
  const { type } = options
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

export const addRecord: Command = async (context) => {
  const { panel, io, format, names, options } = context
  const [domain, type = '', name = '', content = ''] = names
  const zone = await findDomain(context, domain)
  const ttl = numberOf(options, 'ttl')
  const priority = numberOf(options, 'priority')
  const record = {
    type: choiceOf('TYPE', type, choices.recordType),
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
  io.out(`Deleted ${done} of ${counted(ids.length, 'record')}`)
  return done === ids.length ? 0 : done > 0 ? 3 : 1
}

type BulkRequest = Input<'operations.preview'>['request']
type Target = Input<'operations.preview'>['target']

/** The domains that the command names, or those that match its filter. @throws UsageError */
async function targetOf(context: CommandContext): Promise<Target> {
  const { names, options } = context
  const filter = filterOf(options)
  if (names.length > 0 && Object.keys(filter).length > 0) throw new UsageError('specify domains or a filter, not both')
  if (names.length === 0 && Object.keys(filter).length === 0) throw new UsageError('specify the domains, or a filter such as --search')
  if (names.length === 0) return { filter }
  const domains = []
  for (const name of names) domains.push(await findDomain(context, name))
  return { ids: domains.map(({ id }) => id) }
}

/** Refuses a token that could create a draft but neither start nor discard it. */
export async function requireChangeScope({ panel }: CommandContext): Promise<void> {
  const { scope } = await panel.auth.me()
  const refusal = scope === 'read' ? 'read_only_token' : scope === 'buy' ? 'buy_only_token' : null
  if (refusal !== null) throw new Error(`${refusal}: ${textOfCode(refusal)}`)
}

/** Previews a bulk change, asks for confirmation, starts it and shows its progress. */
async function changeMany(
  context: CommandContext,
  request: BulkRequest,
  wordsOf: (domains: string, calls: string) => string,
): Promise<ExitCode> {
  const { panel, io } = context
  await requireChangeScope(context)
  const preview = await panel.operations.preview({ request, target: await targetOf(context) })
  const { id, total, skipped } = preview.operation
  io.say(wordsOf(counted(total - skipped, 'domain'), counted(preview.calls, 'call')))
  if (skipped > 0) io.say(`${counted(skipped, 'domain')} would be skipped`)
  for (const [danger, count] of Object.entries(preview.dangers)) io.say(`Warning: ${textOfWarning(danger)} (${counted(count, 'domain')})`)
  return (await startDraft(context, id)) ?? 0
}

/** Lists the items of a draft with `--preview`; otherwise asks for confirmation, starts it and shows its progress. Null if it was not started. */
export async function startDraft(context: CommandContext, id: string): Promise<ExitCode | null> {
  const { panel, options } = context
  let begun = false
  try {
    if (options['preview'] === true) {
      await printItems(context, id)
      return null
    }
    if (!(await confirmed(context))) return null
    await panel.operations.start({ id })
    begun = true
  } finally {
    // A declined or rejected change leaves no draft behind. The panel never discards an operation that has started.
    if (!begun) await panel.operations.discard({ id }).catch(() => undefined)
  }
  return watch(context, id)
}

/** Prints the planned changes of each domain. */
async function printItems({ panel, io, format }: CommandContext, id: string): Promise<void> {
  const items = []
  for await (const item of panel.operations.items.all({ id })) items.push(item)
  const rows = items.map(({ domain, code, plan: { before, after, dangers, calls } }) => ({
    domain,
    calls,
    skipped: code === null ? '' : textOfCode(code),
    warnings: dangers.map(textOfWarning).join(' '),
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  }))
  const columns =
    format === 'csv'
      ? (['domain', 'calls', 'skipped', 'warnings', 'before', 'after'] as const)
      : (['domain', 'calls', 'skipped', 'warnings'] as const)
  io.out(listed(format, rows, columns, items))
}

/** Finds a profile by its name or id. @throws UsageError */
async function findProfile({ panel }: CommandContext, given = '') {
  const { profiles } = await panel.profiles.list()
  const found = profiles.filter(({ id, name }) => id === given || name.toLowerCase() === given.toLowerCase())
  const [profile, ...others] = found
  if (profile === undefined) throw new UsageError(`profile ${given} not found`)
  if (others.length > 0) {
    const lines = found.map(({ id, ownerName }) => `  ${id}  of ${ownerName}`)
    throw new UsageError([`several profiles are named ${given}; specify it by ID:`, ...lines].join('\n'))
  }
  return profile
}

export const listProfiles: Command = async ({ panel, io, format }) => {
  const { profiles } = await panel.profiles.list()
  const rows = profiles.map(({ name, settings, records, rules, version, domains, id }) => ({
    name,
    settings: Object.keys(settings).length,
    records: records.length,
    rules: rules.length,
    version,
    domains,
    id,
  }))
  io.out(listed(format, rows, ['name', 'settings', 'records', 'rules', 'version', 'domains', 'id'], profiles))
  return 0
}

export const applyProfile: Command = async (context) => {
  const [name, ...names] = context.names
  const { id: profileId, name: profile } = await findProfile(context, name)
  const verify = context.options['verify'] === true
  return changeMany(
    { ...context, names },
    { kind: 'profile', input: { profileId, ...(verify && { verify }) } },
    (domains, calls) => `The profile ${profile} would be applied to ${domains} with ${calls} to the provider`,
  )
}

export const detachProfile: Command = (context) =>
  changeMany(
    context,
    { kind: 'profile', input: { profileId: null } },
    (domains, calls) => `${domains} would be detached from the profile with ${calls} to the provider; its rules would be removed`,
  )

export const purge: Command = (context) =>
  changeMany(
    context,
    { kind: 'purge', input: {} },
    (domains, calls) => `The cache of ${domains} would be purged with ${calls} to the provider`,
  )

export const editRecords: Command = (context) => {
  const { options } = context
  const textOf = (name: string): string | undefined => {
    const value = options[name]
    return typeof value === 'string' ? value : undefined
  }
  const proxied = textOf('set-proxied')
  const [type, name, content, newContent, comment] = ['type', 'name', 'content', 'set-content', 'set-comment'].map(textOf)
  const ttl = numberOf(options, 'set-ttl')
  const input = {
    ...(type !== undefined && { type: choiceOf('--type', type, choices.recordType) }),
    ...(name !== undefined && { name }),
    ...(content !== undefined && { content }),
    set: {
      ...(newContent !== undefined && { content: newContent }),
      ...(ttl !== undefined && { ttl }),
      ...(proxied !== undefined && { proxied: proxied === 'on' }),
      ...(comment !== undefined && { comment }),
    },
  }
  return changeMany(
    context,
    { kind: 'dns_edit', input },
    (domains, calls) => `Records of ${domains} would be changed with ${calls} to the provider`,
  )
}

/** Parses lines of `DOMAIN;VALUE`; a value may contain semicolons. */
function parseValues(file: string, text: string): { domain: string; value: string }[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return []
    const at = line.search(/[;\t]/)
    const [domain, value] = at === -1 ? ['', ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    if (domain === '' || value === '') throw new UsageError(`${file}, line ${index + 1}: expected DOMAIN;VALUE`)
    return [{ domain, value }]
  })
}

/** The domains come from the command line or from the file with their values. */
export const setRecords: Command = async (context) => {
  const { io, names, options } = context
  const [type = '', name = '', content = '', ...given] = names
  const file = options['values']
  const values = typeof file === 'string' ? parseValues(file, await io.read(file)) : []
  const domains = given.length > 0 ? given : values.map(({ domain }) => domain)
  if (domains.length === 0) throw new UsageError('specify the domains, or --values with one line per domain')
  const ttl = numberOf(options, 'ttl')
  const priority = numberOf(options, 'priority')
  const record = {
    type: choiceOf('TYPE', type, choices.recordType),
    name,
    content,
    ...(ttl !== undefined && { ttl }),
    ...(priority !== undefined && { priority }),
    ...(options['proxied'] === true && { proxied: true }),
  }
  const mode = options['replace'] === true ? ('replace' as const) : ('add' as const)
  return changeMany(
    { ...context, names: domains },
    { kind: 'dns_add', input: { records: [record], mode, values } },
    (many, calls) => `${record.type} ${name} would be set in ${many} with ${calls} to the provider`,
  )
}
