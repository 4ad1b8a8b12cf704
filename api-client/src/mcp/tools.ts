import { findDomain } from '../cli/domains.ts'
import type { Input } from '../calls.ts'
import type { Panel } from '../panel.ts'
import { checkInput, InputError } from './check-input.ts'
import type { ObjectSchema } from './check-input.ts'

type Arguments = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }
  /** @param given held to `inputSchema` */
  run(given: Arguments): Promise<unknown>
}

const text = (description: string) => ({ type: 'string', minLength: 1, description }) as const
const schema = (properties: ObjectSchema['properties'] = {}, required: readonly string[] = []): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const stringOf = (given: Arguments, name: string): string => String(given[name])
const limitOf = ({ limit: given = limit.default }: Arguments): number => Number(given)

async function first<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) if (found.push(item) >= count) break
  return found
}

const reads = { readOnlyHint: true, destructiveHint: false } as const
const limit = { type: 'integer', minimum: 1, maximum: 500, default: 50 } as const
const filters = ['search', 'status', 'health', 'ssl', 'ip', 'email'] as const

/** A domain's name or id as an id. @throws InputError where there is none */
const idOf = async (panel: Panel, given: string): Promise<string> => {
  try {
    return (await findDomain({ panel }, given)).id
  } catch (error) {
    throw error instanceof Error && error.name === 'UsageError' ? new InputError(error.message) : error
  }
}

const readers = (panel: Panel): readonly Tool[] => [
  {
    name: 'list_domains',
    description: 'Domains, by name; all filters have to match',
    inputSchema: schema({
      search: text('part of the name'),
      status: text('active, pending, error or initializing'),
      health: text('ok, warnings, critical or unknown'),
      ssl: text('off, flexible, full or strict'),
      ip: text('an origin address, exactly; a network (203.0.113.0/24); or a prefix ending with * (203.0.113.*)'),
      email: text('of the Cloudflare account: a whole email exactly, else a part of it'),
      limit,
    }),
    annotations: reads,
    run(given) {
      const filter = Object.fromEntries(filters.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
      return first(panel.domains.all({ filter }), limitOf(given))
    },
  },
  {
    name: 'get_domain',
    description: 'A domain with its settings, certificates and health',
    inputSchema: schema({ domain: text('name or id') }, ['domain']),
    annotations: reads,
    run: async (given) => panel.domains.full({ id: await idOf(panel, stringOf(given, 'domain')) }),
  },
  {
    name: 'list_records',
    description: 'DNS records of a domain',
    inputSchema: schema({ domain: text('name or id') }, ['domain']),
    annotations: reads,
    run: async (given) => panel.records.list({ id: await idOf(panel, stringOf(given, 'domain')) }),
  },
  {
    name: 'list_accounts',
    description: 'Cloudflare accounts, without their keys',
    inputSchema: schema(),
    annotations: reads,
    run: () => panel.accounts.list(),
  },
  {
    name: 'list_incidents',
    description: 'Domains that were found to be ill, the newest first',
    inputSchema: schema({ limit }),
    annotations: reads,
    run: (given) => first(panel.monitoring.incidents.all(), limitOf(given)),
  },
  {
    name: 'list_operations',
    description: 'Work on many domains, the newest first',
    inputSchema: schema({ limit }),
    annotations: reads,
    run: (given) => first(panel.operations.all(), limitOf(given)),
  },
  {
    name: 'get_operation',
    description: 'How far an operation is, with its first hundred domains',
    inputSchema: schema({ id: text('of the operation') }, ['id']),
    annotations: reads,
    run: (given) => panel.operations.items({ id: stringOf(given, 'id') }),
  },
]

const previewed =
  'What a change of many domains would do; nothing is sent. Kinds and inputs: ip {ipAddress, mode: "replace"|"add"}; settings {settings: {ssl?, minTlsVersion?, alwaysUseHttps?, securityLevel?, developmentMode?, universalSsl?}}; dns_add {records: [{type, name, content, ttl?, proxied?, priority?}]}; dns_delete {type?, name?, content?, match?: "whole"|"part"} (content is compared whole unless match is part); group {groupId}; purge {}; refresh {}; delete {} (the domains are deleted at Cloudflare).'

/** `shown`: what may be run, since it was shown in this session and has not run yet; null where nothing may. */
const previewer = (panel: Panel, shown: Set<string> | null): Tool => ({
  name: 'preview_change',
  description:
    shown === null
      ? `${previewed} This token only reads: the person makes changes in the panel.`
      : `${previewed} The answer has a previewId for apply_preview.`,
  inputSchema: schema(
    {
      kind: { type: 'string', enum: ['ip', 'settings', 'dns_add', 'dns_delete', 'group', 'purge', 'refresh', 'delete'] },
      input: { type: 'object' },
      domains: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 500, description: 'names or ids' },
    },
    ['kind', 'domains'],
  ),
  annotations: reads,
  async run({ kind, input = {}, domains }) {
    const ids: string[] = []
    for (const domain of domains as readonly string[]) ids.push(await idOf(panel, domain))
    // What the panel does not take it refuses by name.
    const request = { kind, input } as Input<'operations.preview'>['request']
    const { operation, ...preview } = await panel.operations.preview({ request, target: { ids } })
    const { items } = await panel.operations.items({ id: operation.id, limit: 20 })
    shown?.add(operation.id)
    const examples = items.map(({ domain, plan: { before, after, dangers } }) => ({ domain, before, after, dangers }))
    return { previewId: operation.id, domains: operation.total, ...preview, examples }
  },
})

const applier = (panel: Panel, shown: Set<string>): Tool => ({
  name: 'apply_preview',
  description: 'Runs a change exactly as preview_change showed it in this session. Only after the person has agreed to it.',
  inputSchema: schema({ previewId: text('from preview_change') }, ['previewId']),
  annotations: { readOnlyHint: false, destructiveHint: true },
  async run(given) {
    const id = stringOf(given, 'previewId')
    if (!shown.has(id)) throw new InputError('no such preview was made in this session, or it was applied already')
    const started = await panel.operations.start({ id })
    // Only what has begun is done with: what failed may be tried again, and of two tries at once the panel refuses one.
    shown.delete(id)
    return started
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
 * What an assistant may use: a token that only reads looks and previews, and has nothing that changes anything.
 * Each takes nothing but what its `inputSchema` says, else it throws InputError.
 */
export function toolsFor(panel: Panel, scope: 'read' | 'write'): readonly Tool[] {
  const shown = scope === 'read' ? null : new Set<string>()
  const changers = shown === null ? [] : [applier(panel, shown)]
  return [...readers(panel), previewer(panel, shown), ...changers].map(held)
}
