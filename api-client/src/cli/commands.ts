import { callApi, describeCall, listCalls } from './api.ts'
import {
  addRecord,
  applyProfile,
  deleteRecords,
  detachProfile,
  editRecords,
  listProfiles,
  listRecords,
  purge,
  setRecords,
} from './changes.ts'
import type { Command } from './context.ts'
import { filterNames, getDomain, listAccounts, listDomains } from './domains.ts'
import { listOperations, watchOperation } from './operations.ts'
import { exportRedirects, importRedirects, listRedirects, testRedirect } from './redirects.ts'
import { choices } from '../procedures.gen.ts'

const text = { type: 'string' } as const
const oneOf = <T extends readonly string[]>(values: T) => ({
  ...text,
  values,
  help: `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
})
const flag = { type: 'boolean' } as const

/** Every option of every command. */
export const options = {
  search: { ...text, value: 'TEXT', help: 'part of the name or source' },
  status: { ...oneOf(choices.status), value: 'STATUS' },
  health: { ...oneOf(choices.health), value: 'HEALTH' },
  ssl: { ...oneOf(choices.ssl), value: 'MODE' },
  'bot-fight-mode': { ...oneOf(choices.onOff), value: 'STATE' },
  'ai-bots': { ...oneOf(choices.aiBots), value: 'CHOICE' },
  'ai-labyrinth': { ...oneOf(choices.onOff), value: 'STATE' },
  'managed-robots-txt': { ...oneOf(choices.onOff), value: 'STATE' },
  dnssec: { ...oneOf(choices.dnssec), value: 'STATUS' },
  'origin-certificate': { ...oneOf(choices.originCertificate), value: 'STATE' },
  traffic: { ...oneOf(choices.traffic), value: 'AMOUNT' },
  ip: { ...text, value: 'ADDRESS', help: 'an exact origin address, a network (203.0.113.0/24), or a prefix with * (203.0.113.*)' },
  email: {
    ...text,
    value: 'EMAIL',
    help: 'email of the Cloudflare account; a full email matches exactly, part of one matches every account that contains it',
  },
  limit: { ...text, value: 'N', help: 'maximum number of results' },
  type: { ...text, values: choices.recordType, value: 'TYPE', help: 'only records of this type: A, AAAA, CNAME …' },
  name: { ...text, value: 'NAME', help: 'only records with this name; @ is the domain itself' },
  content: { ...text, value: 'CONTENT', help: 'only records with exactly this content; for addresses, a prefix with * (203.0.113.*)' },
  'set-content': { ...text, value: 'CONTENT', help: 'new content; {{domain}} is replaced with the name of the domain' },
  'set-ttl': { ...text, value: 'SECONDS', help: 'new TTL; 1 is automatic' },
  'set-proxied': { ...text, values: ['on', 'off'], value: 'ON|OFF', help: 'on: proxied by Cloudflare; off: DNS only' },
  'set-comment': { ...text, value: 'TEXT', help: 'new comment; an empty one removes it' },
  values: { ...text, value: 'FILE', help: 'file with one DOMAIN;VALUE per line, for {{value}} in the content; - reads standard input' },
  replace: { ...flag, value: '', help: 'replace existing records of this type and name, or remove redirects that the file lacks' },
  ttl: { ...text, value: 'SECONDS', help: 'TTL in seconds; 1 is automatic' },
  priority: { ...text, value: 'N', help: 'priority of MX, SRV, and URI records' },
  proxied: { ...flag, value: '', help: 'proxy through Cloudflare' },
  active: { ...flag, value: '', help: 'only unfinished operations' },
  kind: { ...text, values: choices.operationKind, value: 'KIND', help: 'only operations of this kind: ip, settings, dns_add …' },
  by: { ...text, value: 'USER-ID', help: 'only operations that this user started' },
  failed: { ...flag, value: '', help: 'only operations with failures' },
  url: { ...text, value: 'URL', help: 'URL of the panel' },
  input: { ...text, value: 'FILE', help: 'file with a JSON object of the fields; - reads standard input' },
  preview: { ...flag, value: '', help: 'show what would change without changing it' },
  verify: { ...flag, value: '', help: 'let Cloudflare check every rule before anything is changed' },
  wait: { ...flag, value: '', help: 'wait until the operation has finished' },
  json: { ...flag, value: '', help: 'print JSON' },
  csv: { ...flag, value: '', help: 'print CSV' },
  yes: { ...flag, value: '', help: 'apply the changes without asking' },
  help: { ...flag, value: '', help: 'show help' },
  version: { ...flag, value: '', help: 'show the version' },
} as const
export type OptionName = keyof typeof options

export interface Described {
  readonly about: string
  /** Positional arguments; one that ends with `…` may be repeated, one in brackets is optional. */
  readonly names: readonly string[]
  readonly options: readonly OptionName[]
  /** Null for commands that need no configured panel. */
  readonly run: Command | null
}

const mcp: Command = async ({ panel, rest }) => {
  const { serve } = await import('../mcp/serve.ts')
  await serve(panel, rest)
  return 0
}

const lists = ['json', 'csv'] as const
export const commands: ReadonlyMap<string, Described> = new Map<string, Described>([
  ['login', { about: 'ask for an API token and store it in a file that only you can read', names: [], options: ['url'], run: null }],
  ['logout', { about: 'delete the stored token', names: [], options: [], run: null }],
  [
    'domains list',
    {
      about: 'list domains, sorted by name; all filters must match',
      names: [],
      options: [...lists, ...filterNames, 'limit'],
      run: listDomains,
    },
  ],
  ['domains get', { about: 'show a domain, by name or ID', names: ['DOMAIN'], options: lists, run: getDomain }],
  ['dns list', { about: 'list the DNS records of a domain', names: ['DOMAIN'], options: [...lists, 'type'], run: listRecords }],
  [
    'dns add',
    {
      about: 'add a DNS record',
      names: ['DOMAIN', 'TYPE', 'NAME', 'CONTENT'],
      options: ['json', 'yes', 'ttl', 'priority', 'proxied'],
      run: addRecord,
    },
  ],
  [
    'dns edit',
    {
      about: 'change the matching DNS records of domains',
      names: ['DOMAIN…'],
      options: ['json', 'yes', 'type', 'name', 'content', 'set-content', 'set-ttl', 'set-proxied', 'set-comment'],
      run: editRecords,
    },
  ],
  [
    'dns set',
    {
      about: 'add a DNS record to many domains; {{domain}} and {{value}} are replaced for each domain',
      names: ['TYPE', 'NAME', 'CONTENT', '[DOMAIN…]'],
      options: ['json', 'yes', 'values', 'replace', 'ttl', 'priority', 'proxied'],
      run: setRecords,
    },
  ],
  ['dns delete', { about: 'delete DNS records by ID', names: ['DOMAIN', 'RECORD-ID…'], options: ['yes'], run: deleteRecords }],
  ['purge', { about: 'purge the cache of domains', names: ['DOMAIN…'], options: ['json', 'yes'], run: purge }],
  [
    'profiles list',
    { about: 'list the profiles: settings, records, and rules for many domains', names: [], options: lists, run: listProfiles },
  ],
  [
    'profiles apply',
    {
      about: 'apply a profile to domains, by name or by filter',
      names: ['PROFILE', '[DOMAIN…]'],
      options: [...lists, 'yes', 'preview', 'verify', ...filterNames],
      run: applyProfile,
    },
  ],
  [
    'profiles detach',
    {
      about: 'detach domains from their profile and remove its rules; settings and records stay',
      names: ['[DOMAIN…]'],
      options: [...lists, 'yes', 'preview', ...filterNames],
      run: detachProfile,
    },
  ],
  [
    'redirects list',
    { about: 'list the redirects of an account', names: ['ACCOUNT'], options: [...lists, 'search', 'limit'], run: listRedirects },
  ],
  [
    'redirects import',
    {
      about: 'add or change the redirects of a CSV file; - reads standard input',
      names: ['ACCOUNT', 'FILE'],
      options: [...lists, 'yes', 'preview', 'replace'],
      run: importRedirects,
    },
  ],
  [
    'redirects export',
    {
      about: 'print the redirects of an account as a CSV file that can be imported',
      names: ['ACCOUNT'],
      options: [],
      run: exportRedirects,
    },
  ],
  [
    'redirects test',
    { about: 'show where a URL ends and what redirects it', names: ['ACCOUNT', 'URL'], options: ['json'], run: testRedirect },
  ],
  [
    'operations list',
    { about: 'list the newest operations', names: [], options: [...lists, 'active', 'kind', 'by', 'failed', 'limit'], run: listOperations },
  ],
  [
    'operations watch',
    { about: 'show the progress of an operation until it has finished', names: ['ID'], options: ['json'], run: watchOperation },
  ],
  ['accounts list', { about: 'list the Cloudflare accounts', names: [], options: lists, run: listAccounts }],
  ['api list', { about: 'list all API calls, or those that contain these words', names: ['[WORD…]'], options: lists, run: listCalls }],
  ['api describe', { about: 'describe the input of a call, with examples', names: ['CALL…'], options: ['json'], run: describeCall }],
  [
    'api call',
    {
      about: 'make an API call: zoneSettings.update id=… ssl=strict, or PATCH /zones/…/settings ssl=strict',
      names: ['CALL', '[NAME=VALUE…]'],
      options: ['input', 'preview', 'wait', 'yes', 'json'],
      run: callApi,
    },
  ],
  ['mcp', { about: 'run an MCP server over standard input and output', names: [], options: [], run: mcp }],
])

const usageOf = (name: string, { names }: Described) => ['zonedeck', name, ...names].join(' ')
const optionText = (name: OptionName) => {
  const { value, help } = options[name]
  return `  --${`${name} ${value}`.trim().padEnd(18)} ${help}`
}

/** The help of one command. */
export const helpOf = (name: string, command: Described): string =>
  [usageOf(name, command), `  ${command.about}`, ...(command.options.length === 0 ? [] : ['', ...command.options.map(optionText)])].join(
    '\n',
  )

const lineOf = ([name, command]: readonly [string, Described]): string =>
  `  ${usageOf(name, command).slice('zonedeck '.length).padEnd(44)} ${command.about}`

/** The help of a command group; null if the word is not one. */
export function helpOfGroup(word: string): string | null {
  const own = [...commands].filter(([name]) => name.startsWith(`${word} `))
  if (own.length === 0) return null
  return [`zonedeck ${word} COMMAND`, '', ...own.map(lineOf), '', `  Run zonedeck ${word} COMMAND --help for its options.`].join('\n')
}

export const help = `zonedeck: the command line of a Zonedeck panel

${[...commands].map(lineOf).join('\n')}

  Run zonedeck COMMAND --help for the options of a command.
  --json, --csv    print JSON or CSV      --yes        apply the changes without asking
  --version        show the version       --help       show help

ZONEDECK_URL and ZONEDECK_TOKEN take precedence over the stored token.
Exit status: 0 done, 1 failed, 2 invalid usage, 3 partly failed or needs attention.`
