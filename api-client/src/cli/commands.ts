import { callApi, describeCall, listCalls } from './api.ts'
import { addRecord, deleteRecords, editRecords, listRecords, purge, setRecords } from './changes.ts'
import type { Command } from './context.ts'
import { getDomain, listAccounts, listDomains } from './domains.ts'
import { listOperations, watchOperation } from './operations.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** Every option of every command, with what it is for. */
export const options = {
  search: { ...text, value: 'TEXT', help: 'part of the name' },
  status: { ...text, value: 'STATUS', help: 'active, pending, error or initializing' },
  health: { ...text, value: 'HEALTH', help: 'ok, warnings, critical or unknown' },
  ssl: { ...text, value: 'MODE', help: 'off, flexible, full, strict, origin_pull or on' },
  ip: { ...text, value: 'ADDRESS', help: 'exactly this origin address; a network (203.0.113.0/24); a prefix only with * (203.0.113.*)' },
  email: { ...text, value: 'EMAIL', help: 'of the Cloudflare account: a whole email exactly, else a part of it' },
  limit: { ...text, value: 'N', help: 'at most so many' },
  type: { ...text, value: 'TYPE', help: 'only records of this type' },
  name: { ...text, value: 'NAME', help: 'only records of this name; @ is the domain itself' },
  content: { ...text, value: 'CONTENT', help: 'only records with exactly this content; an address by its beginning with * (203.0.113.*)' },
  'set-content': { ...text, value: 'CONTENT', help: 'the new content; {{domain}} becomes the name of the domain' },
  'set-ttl': { ...text, value: 'SECONDS', help: 'the new TTL; 1 is automatic' },
  'set-proxied': { ...text, value: 'ON|OFF', help: 'through Cloudflare, or DNS only' },
  'set-comment': { ...text, value: 'TEXT', help: 'the new comment; an empty one removes it' },
  values: { ...text, value: 'FILE', help: 'a line DOMAIN;VALUE for each domain, for {{value}} in the content; - reads standard input' },
  replace: { ...flag, value: '', help: 'instead of the records of this type and name that are there' },
  ttl: { ...text, value: 'SECONDS', help: 'how long it may be kept; 1 is automatic' },
  priority: { ...text, value: 'N', help: 'of MX, SRV and URI records' },
  proxied: { ...flag, value: '', help: 'through Cloudflare' },
  active: { ...flag, value: '', help: 'only what runs, waits or is paused' },
  kind: { ...text, value: 'KIND', help: 'only operations of this kind: ip, settings, dns_add …' },
  by: { ...text, value: 'USER-ID', help: 'only operations that this person started' },
  failed: { ...flag, value: '', help: 'only operations in which a domain failed' },
  url: { ...text, value: 'URL', help: 'where the panel is' },
  input: { ...text, value: 'FILE', help: 'a JSON object with the fields; - reads standard input' },
  preview: { ...flag, value: '', help: 'shows what it would do, and does nothing' },
  wait: { ...flag, value: '', help: 'watches the operation until it has ended' },
  json: { ...flag, value: '', help: 'JSON for programs' },
  csv: { ...flag, value: '', help: 'CSV for programs' },
  yes: { ...flag, value: '', help: 'does what was shown without asking' },
  help: { ...flag, value: '', help: 'how it is called' },
  version: { ...flag, value: '', help: 'the version of this program' },
} as const
export type OptionName = keyof typeof options

export interface Described {
  readonly about: string
  /** What stands behind the command's name; of one that ends with `…` there may be several, of one in brackets none. */
  readonly names: readonly string[]
  readonly options: readonly OptionName[]
  /** Null for what needs no panel that is known already. */
  readonly run: Command | null
}

const mcp: Command = async ({ panel, rest }) => {
  const { serve } = await import('../mcp/serve.ts')
  await serve(panel, rest)
  return 0
}

const lists = ['json', 'csv'] as const
export const commands: ReadonlyMap<string, Described> = new Map<string, Described>([
  ['login', { about: 'asks for an API token and keeps it for you alone', names: [], options: ['url'], run: null }],
  ['logout', { about: 'forgets the token', names: [], options: [], run: null }],
  [
    'domains list',
    {
      about: 'domains by name; all filters have to match',
      names: [],
      options: [...lists, 'search', 'status', 'health', 'ssl', 'ip', 'email', 'limit'],
      run: listDomains,
    },
  ],
  ['domains get', { about: 'one domain, by name or id', names: ['DOMAIN'], options: lists, run: getDomain }],
  ['dns list', { about: 'DNS records of a domain', names: ['DOMAIN'], options: [...lists, 'type'], run: listRecords }],
  [
    'dns add',
    {
      about: 'adds a DNS record',
      names: ['DOMAIN', 'TYPE', 'NAME', 'CONTENT'],
      options: ['json', 'yes', 'ttl', 'priority', 'proxied'],
      run: addRecord,
    },
  ],
  [
    'dns edit',
    {
      about: 'changes the matching DNS records of domains',
      names: ['DOMAIN…'],
      options: ['json', 'yes', 'type', 'name', 'content', 'set-content', 'set-ttl', 'set-proxied', 'set-comment'],
      run: editRecords,
    },
  ],
  [
    'dns set',
    {
      about: 'adds a DNS record to many domains; {{domain}} and {{value}} in it become those of each',
      names: ['TYPE', 'NAME', 'CONTENT', '[DOMAIN…]'],
      options: ['json', 'yes', 'values', 'replace', 'ttl', 'priority', 'proxied'],
      run: setRecords,
    },
  ],
  ['dns delete', { about: 'deletes DNS records by their ids', names: ['DOMAIN', 'RECORD-ID…'], options: ['yes'], run: deleteRecords }],
  ['purge', { about: 'empties the cache of domains', names: ['DOMAIN…'], options: ['json', 'yes'], run: purge }],
  [
    'operations list',
    { about: 'the newest operations', names: [], options: [...lists, 'active', 'kind', 'by', 'failed', 'limit'], run: listOperations },
  ],
  [
    'operations watch',
    { about: 'shows the progress of an operation until it has ended', names: ['ID'], options: ['json'], run: watchOperation },
  ],
  ['accounts list', { about: 'Cloudflare accounts', names: [], options: lists, run: listAccounts }],
  ['api list', { about: 'every call of the API, or those with these words', names: ['[WORD…]'], options: lists, run: listCalls }],
  ['api describe', { about: 'what a call takes, with examples', names: ['CALL…'], options: ['json'], run: describeCall }],
  [
    'api call',
    {
      about: 'any call: zoneSettings.update id=… ssl=strict, or PATCH /zones/…/settings ssl=strict',
      names: ['CALL', '[NAME=VALUE…]'],
      options: ['input', 'preview', 'wait', 'yes', 'json'],
      run: callApi,
    },
  ],
  ['mcp', { about: 'serves an assistant over standard input and output', names: [], options: [], run: mcp }],
])

const usageOf = (name: string, { names }: Described) => ['zonedeck', name, ...names].join(' ')
const optionText = (name: OptionName) => {
  const { value, help } = options[name]
  return `  --${`${name} ${value}`.trim().padEnd(18)} ${help}`
}

/** How one command is called. */
export const helpOf = (name: string, command: Described): string =>
  [usageOf(name, command), `  ${command.about}`, ...(command.options.length === 0 ? [] : ['', ...command.options.map(optionText)])].join(
    '\n',
  )

const lineOf = ([name, command]: readonly [string, Described]): string =>
  `  ${usageOf(name, command).slice('zonedeck '.length).padEnd(44)} ${command.about}`

/** The commands that begin with this word; null where it is a command itself, or none. */
export function helpOfGroup(word: string): string | null {
  const own = [...commands].filter(([name]) => name.startsWith(`${word} `))
  if (own.length === 0) return null
  return [`zonedeck ${word} COMMAND`, '', ...own.map(lineOf), '', `  zonedeck ${word} COMMAND --help names its options.`].join('\n')
}

export const help = `zonedeck: a panel for many Cloudflare accounts, from the command line

${[...commands].map(lineOf).join('\n')}

  zonedeck COMMAND --help names the options of a command.
  --json, --csv    for programs           --yes        does what was shown without asking
  --version        of this program        --help

ZONEDECK_URL and ZONEDECK_TOKEN come before what \`login\` kept.
Exit status: 0 done, 1 failed, 2 called wrongly, 3 a part of it failed or needs you.`
