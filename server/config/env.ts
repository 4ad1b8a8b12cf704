import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import ipaddr from 'ipaddr.js'
import { region } from '#shared/features/monitoring/schema.ts'
import { stripEnd } from '#shared/text.ts'

const httpUrl = z.url({ protocol: /^https?$/ }).transform((value) => stripEnd(value, '/'))
const cidr = z.string().refine((value) => ipaddr.isValidCIDR(value), 'an address range such as 10.0.0.0/8')
/** A range of addresses, optionally with one port: `10.0.0.5/32:8443`. */
const outboundRange = z.string().refine((value) => {
  const [, range = value, port = '1'] = /^(.*\/\d+):(\d{1,5})$/.exec(value) ?? []
  return ipaddr.isValidCIDR(range) && Number(port) >= 1 && Number(port) <= 65_535
}, 'an address range such as 10.0.0.0/8 or 10.0.0.5/32:8443')
const list = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item))

/** An address as `dns.setServers` takes it: `192.0.2.1`, `192.0.2.1:5353`, `[2001:db8::1]:5353`. */
const dnsServer = z.string().refine((value) => {
  const [, bracketed, plain = value] = /^(?:\[([^\]]+)\]|([\d.]+)):\d{1,5}$/.exec(value) ?? []
  return isIP(bracketed ?? plain) !== 0
}, 'an address such as 192.0.2.1 or 192.0.2.1:5353')

/** `127.0.0.1:8080/8443`: an address with its HTTP and HTTPS ports. */
const via = z
  .string()
  .regex(/^(?:\[[\da-f:.]+\]|[\d.]+):\d{1,5}\/\d{1,5}$/i)
  .transform((value) => {
    const [, host = '', http, https] = /^\[?([^\]]+)\]?:(\d+)\/(\d+)$/.exec(value) ?? []
    return { host, httpPort: Number(http), httpsPort: Number(https) }
  })
  .refine(({ host, httpPort, httpsPort }) => isIP(host) !== 0 && httpPort <= 65_535 && httpsPort <= 65_535)

/** `name=value,name=value` with percent-encoded values: the header format of OpenTelemetry. */
const headerList = z
  .string()
  .regex(
    /^[\w-]+=(?:[\x20-\x24\x26-\x2b\x2d-\x7e]|%[2-6][\da-f]|%7[\da-e])*(?:,[\w-]+=(?:[\x20-\x24\x26-\x2b\x2d-\x7e]|%[2-6][\da-f]|%7[\da-e])*)*$/i,
  )
  .transform((text) =>
    text.split(',').map((pair): readonly [string, string] => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).toLowerCase(), decodeURIComponent(pair.slice(at + 1)).trim()]
    }),
  )

const callBudget = z
  .string()
  .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,5}$/, 'calls/seconds, such as 1200/300')
  .transform((value) => {
    const [calls, seconds] = value.split('/')
    return { limit: Number(calls), windowMs: Number(seconds) * 1000 }
  })

interface Variable {
  readonly schema: z.ZodType
  readonly about: string
  readonly accepted: string
  readonly secret?: boolean
}

const variable = <T extends z.ZodType>(schema: T, about: string, accepted: string, secret = false) => ({ schema, about, accepted, secret })

/** Every variable the server reads. `.env.example` is generated from this list. */
export const variables = {
  HOST: variable(z.string().min(1).default('127.0.0.1'), 'address to listen on', 'an address'),
  PORT: variable(z.coerce.number().int().min(0).max(65535).default(3000), 'port to listen on', '0 to 65535'),
  PUBLIC_URL: variable(httpUrl.optional(), 'address that people open; used for links in alerts and the origin check', 'an http(s) URL'),
  DATABASE_URL: variable(
    z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    'a PostgreSQL server, 15 or newer; absent: the bundled one',
    'postgres://user:password@host:port/name',
    true,
  ),
  DATA_DIR: variable(
    z
      .string()
      .min(1)
      .default('./data')
      .transform((value) => resolve(value)),
    'bundled database and generated key',
    'a folder',
  ),
  SECRET_KEY: variable(
    z
      .base64()
      .refine((value) => Buffer.from(value, 'base64').length === 32)
      .optional(),
    'encrypts stored secrets; absent: generated into DATA_DIR/secret.key',
    'base64 of 32 bytes',
    true,
  ),
  NEW_SECRET_KEY: variable(
    z
      .base64()
      .refine((value) => Buffer.from(value, 'base64').length === 32)
      .optional(),
    'the new key for `npm run cli -- rotate-key`, if SECRET_KEY is set',
    'base64 of 32 bytes',
    true,
  ),
  REGISTRATION: variable(
    z.enum(['open', 'closed']).optional(),
    'whether people may register until an administrator decides in the settings; default: open',
    'open or closed',
  ),
  BROWSER_SESSION: variable(
    z.enum(['token', 'cookie']).default('token'),
    'where a browser keeps its session: local storage, or a cookie that scripts cannot read',
    'token or cookie',
  ),
  SERVICE_WORKER: variable(
    z.enum(['on', 'off']).default('on'),
    'whether browsers keep the page of the panel for the next visit; off removes it when they visit the panel',
    'on or off',
  ),
  ROLE: variable(z.enum(['all', 'web', 'worker', 'probe']).default('all'), 'role of this process', 'all, web, worker or probe'),
  METRICS_TOKEN: variable(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,512}$/)
      .optional(),
    'bearer token for /metrics from other machines; absent: only this machine may read it',
    '16 to 512 characters without spaces',
    true,
  ),
  METRICS_PORT: variable(
    z.coerce.number().int().min(0).max(65535).optional(),
    'port for /metrics and /api/health of a worker or probe, on HOST; absent: none',
    '0 to 65535',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    httpUrl.optional(),
    'OTLP endpoint for traces (HTTP, JSON), without /v1/traces; absent: no traces',
    'an http(s) URL',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    headerList.optional(),
    'headers sent with traces, for collectors that require a key',
    'name=value,name=value, percent-encoded',
    true,
  ),
  OTEL_SERVICE_NAME: variable(z.string().min(1).max(100).default('zonedeck'), 'service name in traces', 'up to 100 characters'),
  OTEL_TRACES_SAMPLER_ARG: variable(z.coerce.number().min(0).max(1).default(1), 'share of traces that is kept', '0 to 1'),
  BACKUP_DIR: variable(
    z
      .string()
      .min(1)
      .transform((value) => resolve(value))
      .optional(),
    'folder for scheduled backups, written by a worker; absent: no backups',
    'a folder',
  ),
  BACKUP_EVERY_HOURS: variable(z.coerce.number().int().min(1).max(8760).default(24), 'hours between backups', '1 to 8760'),
  BACKUP_SCRATCH_URL: variable(
    z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    'an empty database for test restores of backups; absent: the bundled server has one, otherwise only the checksum is verified',
    'postgres://user:password@host:port/name',
    true,
  ),
  BACKUP_KEEP: variable(z.coerce.number().int().min(1).max(1000).default(14), 'number of backups kept', '1 to 1000'),
  REGION: variable(region.default('EUROPE'), 'region from which this process checks domains', region.options.join(', ')),
  LOG_LEVEL: variable(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    'log level',
    'trace, debug, info, warn, error, fatal or silent',
  ),
  TRUST_PROXY: variable(
    list(z.union([z.ipv4(), z.ipv6(), cidr])).default([]),
    'addresses of reverse proxies',
    'addresses or ranges, separated by commas',
  ),
  OUTBOUND_ALLOW: variable(
    list(outboundRange).default([]),
    'non-public networks that requests to user-supplied addresses may connect to',
    'address ranges such as 10.0.0.0/8, also of one port such as 10.0.0.5/32:8443, separated by commas',
  ),
  DNS_SERVERS: variable(
    list(dnsServer).default([]),
    "DNS servers for look-ups of delegations and DS records; absent: the system's",
    'addresses separated by commas, with a port if it is not 53',
  ),
  CHECK_VIA: variable(
    via.optional(),
    "domain checks connect here instead of to the domains' addresses; for simulators",
    'an address and the ports for HTTP and HTTPS, such as 127.0.0.1:8080/8443',
  ),
  CHECK_ROOTS: variable(
    z
      .string()
      .min(1)
      .transform((value) => resolve(value))
      .optional(),
    'PEM file of additional certificate authorities that domain checks trust',
    'a file',
  ),
  RDAP_BOOTSTRAP_URL: variable(
    httpUrl.default('https://data.iana.org/rdap/dns.json'),
    "RDAP bootstrap file (RFC 9224); default: IANA's",
    'an http(s) URL',
  ),
  CLOUDFLARE_BASE_URL: variable(httpUrl.default('https://api.cloudflare.com/client/v4'), "Cloudflare's API URL", 'an http(s) URL'),
  NAMECHEAP_BASE_URL: variable(httpUrl.optional(), "Namecheap's API URL; absent: the default or the sandbox", 'an http(s) URL'),
  GODADDY_BASE_URL: variable(httpUrl.optional(), "GoDaddy's API URL; absent: the default or the test environment", 'an http(s) URL'),
  PORKBUN_BASE_URL: variable(httpUrl.default('https://api.porkbun.com/api/json/v3'), "Porkbun's API URL", 'an http(s) URL'),
  REGRU_BASE_URL: variable(httpUrl.default('https://api.reg.ru/api/regru2'), "REG.RU's API URL", 'an http(s) URL'),
  TELEGRAM_BASE_URL: variable(httpUrl.default('https://api.telegram.org'), "Telegram's API URL", 'an http(s) URL'),
  GLOBALPING_BASE_URL: variable(httpUrl.default('https://api.globalping.io/v1'), "Globalping's API URL", 'an http(s) URL'),
  GLOBALPING_TOKEN: variable(z.string().min(1).optional(), 'raises the limit of Globalping; absent: 250 tests an hour', 'a token', true),
  CLOUDFLARE_BUDGET: variable(
    callBudget.default({ limit: 1200, windowMs: 300_000 }),
    'API rate limit per Cloudflare user',
    'calls/seconds, such as 1200/300',
  ),
} as const satisfies Record<string, Variable>

export type Env = { readonly [K in keyof typeof variables]: z.output<(typeof variables)[K]['schema']> }

export class EnvironmentError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.name = 'EnvironmentError'
    this.mistakes = mistakes
  }
}

/**
 * Parses the environment once.
 * @throws EnvironmentError with one line per invalid variable: its name, its value (never a secret), and the accepted values.
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const mistakes: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema, accepted, secret }] of Object.entries(variables)) {
    const given = source[name]
    const parsed = schema.safeParse(given === '' ? undefined : given)
    if (parsed.success) values[name] = parsed.data
    else mistakes.push(`${name}: ${secret ? 'the given value' : JSON.stringify(given)} is invalid; accepted: ${accepted}`)
  }
  if (mistakes.length > 0) throw new EnvironmentError(mistakes)
  return values as Env
}

/** The environment of a child process: ours with some variables replaced. */
export const environmentOfChild = (changes: Readonly<Record<string, string>>): Record<string, string | undefined> => ({
  ...process.env,
  ...changes,
})
