import { findDomain } from '../cli/domains.ts'
import type { Input } from '../calls.ts'
import type { Panel } from '../panel.ts'
import { changeInputs, changeKinds } from '../procedures.gen.ts'
import type { DnsRecord, Domain } from '../procedures.gen.ts'
import type { Rest } from '../rest/rest.ts'
import { apiTools, examplesOf } from './api-tools.ts'
import { checkInput, InputError } from './check-input.ts'
import { choice, reads, refusalOf, schema, text } from './tool.ts'
import type { Arguments, Scope, Shown, Tool } from './tool.ts'

const stringOf = (given: Arguments, name: string): string => String(given[name])
const limitOf = ({ limit: given = limit.default }: Arguments): number => Number(given)

async function first<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) if (found.push(item) >= count) break
  return found
}

const limit = { type: 'integer', description: 'Maximum number of results', minimum: 1, maximum: 500, default: 50 } as const
const filters = ['search', 'status', 'health', 'ssl', 'ip', 'email'] as const

/** The ID of a domain that is given by name or ID. @throws InputError if there is no such domain */
const idOf = async (panel: Panel, given: string): Promise<string> => {
  try {
    return (await findDomain({ panel }, given)).id
  } catch (error) {
    throw error instanceof Error && error.name === 'UsageError' ? new InputError(error.message) : error
  }
}

/** The fields of a list; `get_domain` and `list_records` return all of them. */
const domainRow = ({ id, name, status, health, sslMode, originIPs, recordsCount, account, group, registrar, paidUntil }: Domain) => ({
  id,
  name,
  status,
  health,
  ssl: sslMode,
  originIPs: originIPs.slice(0, 5),
  records: recordsCount,
  account: account.email,
  ...(group !== null && { group: group.name }),
  ...(registrar !== null && { registrar: registrar.name }),
  ...(paidUntil !== null && { paidUntil }),
})
const recordRow = ({ id, type, name, content, ttl, proxied, priority, comment }: DnsRecord) => ({
  id,
  type,
  name,
  content,
  ttl,
  proxied,
  ...(priority !== null && { priority }),
  ...(comment !== null && { comment }),
})

const readers = (panel: Panel): readonly Tool[] => [
  {
    name: 'list_domains',
    description: 'List domains, sorted by name. All given filters must match.',
    inputSchema: schema({
      search: text('Part of the domain name'),
      status: choice('Status of the zone at Cloudflare', ['active', 'pending', 'error', 'initializing']),
      health: choice('Health of the domain: ok is Up, warnings is Degraded, critical is Down', ['ok', 'warnings', 'critical', 'unknown']),
      ssl: choice('SSL/TLS encryption mode; on matches every mode except off', ['off', 'flexible', 'full', 'strict', 'origin_pull', 'on']),
      ip: text('Origin IP address: an exact address (203.0.113.1), a network (203.0.113.0/24), or a prefix that ends with * (203.0.113.*)'),
      email: text('Email of the Cloudflare account: a full email must match exactly, anything else matches part of it'),
      limit,
    }),
    annotations: reads,
    async run(given) {
      const filter = Object.fromEntries(filters.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
      return (await first(panel.domains.all({ filter, limit: Math.min(limitOf(given), 200) }), limitOf(given))).map(domainRow)
    },
  },
  {
    name: 'get_domain',
    description: 'Get a domain with its settings, certificates, and health',
    inputSchema: schema({ domain: text('Domain name or ID') }, ['domain']),
    annotations: reads,
    run: async (given) => panel.domains.full({ id: await idOf(panel, stringOf(given, 'domain')) }),
  },
  {
    name: 'list_records',
    description: 'List the DNS records of a domain',
    inputSchema: schema({ domain: text('Domain name or ID') }, ['domain']),
    annotations: reads,
    run: async (given) => {
      const { records } = await panel.records.list({ id: await idOf(panel, stringOf(given, 'domain')) })
      return { records: records.map(recordRow) }
    },
  },
  {
    name: 'list_accounts',
    description: 'List Cloudflare accounts, without their keys',
    inputSchema: schema(),
    annotations: reads,
    run: async () => ({
      accounts: (await panel.accounts.list()).accounts.map(({ id, email, name, kind, health, zonesCount }) => ({
        id,
        email,
        name,
        kind,
        health,
        domains: zonesCount,
      })),
    }),
  },
  {
    name: 'list_incidents',
    description: 'List incidents, newest first',
    inputSchema: schema({ limit }),
    annotations: reads,
    run: (given) => first(panel.monitoring.incidents.all(), limitOf(given)),
  },
  {
    name: 'list_operations',
    description: 'List bulk operations, newest first',
    inputSchema: schema({ limit }),
    annotations: reads,
    run: async (given) =>
      (await first(panel.operations.all(), limitOf(given))).map(
        ({ id, kind, state, total, done, attention, failed, skipped, createdAt, finishedAt }) => ({
          id,
          kind,
          state,
          total,
          done,
          ...(attention > 0 && { needPerson: attention }),
          failed,
          skipped,
          createdAt,
          finishedAt,
        }),
      ),
  },
  {
    name: 'get_operation',
    description: 'Get the progress of an operation, with its first hundred domains',
    inputSchema: schema({ id: text('ID of the operation') }, ['id']),
    annotations: reads,
    run: async (given) => {
      const { operation, items, nextCursor } = await panel.operations.items({ id: stringOf(given, 'id') })
      return { operation, items: items.map(({ domain, state, code, message }) => ({ domain, state, code, message })), nextCursor }
    },
  },
]

const previewed = `Preview a change of one or more domains; nothing is sent. Names and contents of new records may contain {{domain}} and, with values, {{value}}. In dns_delete and dns_edit, content must match exactly unless match is part; an IP address must always match as a whole unless it ends with *. The kind delete deletes the domains from Cloudflare. Kinds and the types of their inputs:
${changeInputs.join('\n')}
`
/** @param shown receives the preview so that it can be applied */
const previewer = (panel: Panel, shown: Shown, scope: Scope): Tool => ({
  name: 'preview_change',
  description: `${previewed}${refusalOf(scope, null) ?? 'The response has a previewId for apply_preview.'}`,
  inputSchema: schema(
    {
      kind: choice('Kind of the change', changeKinds),
      input: { type: 'object', description: 'Input of the kind, as listed in the description of this tool' },
      domains: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 500, description: 'Domain names or IDs' },
    },
    ['kind', 'domains'],
  ),
  annotations: reads,
  async run({ kind, input = {}, domains }) {
    const ids: string[] = []
    for (const domain of domains as readonly string[]) ids.push(await idOf(panel, domain))
    // The panel validates the input.
    const request = { kind, input } as Input<'operations.preview'>['request']
    const { operation, ...preview } = await panel.operations.preview({ request, target: { ids } })
    const examples = await examplesOf(panel, operation.id)
    if (refusalOf(scope, null) === null) shown.set(operation.id, () => panel.operations.start({ id: operation.id }))
    return { previewId: operation.id, domains: operation.total, ...preview, examples }
  },
})

const applier = (shown: Shown): Tool => ({
  name: 'apply_preview',
  description: 'Run a change exactly as preview_change or prepare_call showed it in this session. Use it only after the user has agreed.',
  inputSchema: schema({ previewId: text('ID from preview_change or prepare_call') }, ['previewId']),
  annotations: { readOnlyHint: false, destructiveHint: true },
  async run(given) {
    const id = stringOf(given, 'previewId')
    const apply = shown.get(id)
    if (apply === undefined) throw new InputError('this preview does not exist in this session, or it has already been applied')
    shown.delete(id)
    try {
      return await apply()
    } catch (error) {
      // A failed preview can be applied again.
      shown.set(id, apply)
      throw error
    }
  },
})

const held = (tool: Tool): Tool => ({
  ...tool,
  async run(given) {
    checkInput(tool.inputSchema, given)
    return tool.run(given)
  },
})

/**
 * The tools of an assistant; with a read-only token none of them changes data. Each throws InputError for input that does not match its
 * `inputSchema`.
 */
export function toolsFor(panel: Panel, rest: Rest, scope: Scope): readonly Tool[] {
  const shown: Shown = new Map()
  const changers = scope === 'read' ? [] : [applier(shown)]
  return [...readers(panel), previewer(panel, shown, scope), ...apiTools(panel, rest, shown, scope), ...changers].map(held)
}
