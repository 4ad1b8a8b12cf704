import { expect, test } from 'vitest'
import { EnvironmentError, readEnv, variables } from '#server/config/env.ts'
import type { Env } from '#server/config/env.ts'

const mistakesOf = (source: Record<string, string>): readonly string[] => {
  try {
    readEnv(source)
    return []
  } catch (error) {
    if (error instanceof EnvironmentError) return error.mistakes
    throw error
  }
}

test('R-APP-02 no variable is required, and an empty value counts as unset', () => {
  const env = readEnv(Object.fromEntries(Object.keys(variables).map((name) => [name, ''])))
  expect(env).toEqual(readEnv({}))
  expect(env).toMatchObject({ HOST: '127.0.0.1', PORT: 3000, ROLE: 'all', LOG_LEVEL: 'info' })
  expect(env.DATABASE_URL).toBeUndefined()
  expect(env.REGISTRATION).toBeUndefined()
})

test.each<[string, string]>([
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PUBLIC_URL', 'panel.example.com'],
  ['PUBLIC_URL', 'ftp://panel.example.com'],
  ['DATABASE_URL', 'mysql://root:canary@localhost/x'],
  ['SECRET_KEY', 'canary'],
  ['SECRET_KEY', Buffer.alloc(31, 'canary').toString('base64')],
  ['NEW_SECRET_KEY', 'canary'],
  ['METRICS_TOKEN', 'short canary'],
  ['METRICS_PORT', 'http'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'canary'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=canary%0d%0a'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['BACKUP_EVERY_HOURS', '0'],
  ['BACKUP_KEEP', '0'],
  ['REGISTRATION', 'yes'],
  ['ROLE', 'everything'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '10.0.0.0/8, elsewhere'],
  ['REGION', 'EUROPA'],
  ['OUTBOUND_ALLOW', '10.0.0.1'],
  ['OUTBOUND_ALLOW', '10.0.0.0/8, intranet'],
  ['OUTBOUND_ALLOW', '10.0.0.5/32:0'],
  ['OUTBOUND_ALLOW', '10.0.0.5/32:65536'],
  ['OUTBOUND_ALLOW', '10.0.0.5:8443'],
  ['CHECK_VIA', '127.0.0.1:8080'],
  ['CHECK_VIA', 'localhost:8080/8443'],
  ['CHECK_VIA', '127.0.0.1:8080/84430'],
  ['GLOBALPING_BASE_URL', 'globalping'],
  ['RDAP_BOOTSTRAP_URL', 'data.iana.org/rdap'],
  ['DNS_SERVERS', 'dns.example.com'],
  ['DNS_SERVERS', '192.0.2.1, 192.0.2.2:dns'],
  ['CLOUDFLARE_BASE_URL', 'api.cloudflare.com'],
  ['CLOUDFLARE_BUDGET', '1200'],
  ['CLOUDFLARE_BUDGET', '0/300'],
])('%s=%s is reported in one line: the variable, its value unless secret, and the accepted values', (name, given) => {
  const mistakes = mistakesOf({ [name]: given })
  expect(mistakes).toHaveLength(1)
  const [line] = mistakes
  expect(line).toMatch(new RegExp(`^${name}: .+ is invalid; accepted: .+$`))
  const secrets = ['DATABASE_URL', 'SECRET_KEY', 'NEW_SECRET_KEY', 'METRICS_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS']
  if (secrets.includes(name)) expect(line).not.toContain(given)
  else expect(line).toContain(given)
})

test('all invalid variables are reported together', () => {
  expect(mistakesOf({ PORT: 'x', ROLE: 'y', LOG_LEVEL: 'info' }).map((line) => line.split(':')[0])).toEqual(['PORT', 'ROLE'])
})

test('values are parsed', () => {
  const env = readEnv({
    PORT: '8080',
    PUBLIC_URL: 'https://panel.example.com/',
    TRUST_PROXY: '10.0.0.1, 192.168.0.0/16',
    DNS_SERVERS: '192.0.2.1, 127.0.0.1:5353, [2001:db8::1]:53, 2001:db8::2',
    CLOUDFLARE_BUDGET: '60/15',
    REGION: 'ASIA',
    OUTBOUND_ALLOW: '10.0.0.0/8, fd00::/8, 10.0.0.5/32:8443',
    CHECK_VIA: '[::1]:8080/8443',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi,x-team=ops',
  })
  expect(env).toMatchObject({
    PORT: 8080,
    PUBLIC_URL: 'https://panel.example.com',
    TRUST_PROXY: ['10.0.0.1', '192.168.0.0/16'],
    DNS_SERVERS: ['192.0.2.1', '127.0.0.1:5353', '[2001:db8::1]:53', '2001:db8::2'],
    CLOUDFLARE_BUDGET: { limit: 60, windowMs: 15_000 },
    REGION: 'ASIA',
    OUTBOUND_ALLOW: ['10.0.0.0/8', 'fd00::/8', '10.0.0.5/32:8443'],
    CHECK_VIA: { host: '::1', httpPort: 8080, httpsPort: 8443 },
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS: [
      ['authorization', 'Basic YTpi'],
      ['x-team', 'ops'],
    ],
    OTEL_TRACES_SAMPLER_ARG: 1,
  })
})

const shown = (value: Env[keyof Env]): string => {
  if (value === undefined) return ''
  if (typeof value === 'object' && 'httpPort' in value) return `${value.host}:${value.httpPort}/${value.httpsPort}`
  if (typeof value === 'object') return 'limit' in value ? `${value.limit}/${value.windowMs / 1000}` : value.join(', ')
  return value.toString()
}

/** The text of `.env.example`: every variable with its purpose, accepted values and default. */
function envExample(): string {
  const defaults = readEnv({})
  const blocks = Object.entries(variables).map(([name, { about, accepted }]) => {
    const fallback = name === 'DATA_DIR' ? './data' : shown(defaults[name as keyof Env])
    return `# ${about} (${accepted})\n# ${name}=${fallback}\n`
  })
  return `# Everything has a default; the panel starts without any of these.\n\n${blocks.join('\n')}`
}

test('.env.example lists every variable with its default (vitest -u writes it)', async () => {
  await expect(envExample()).toMatchFileSnapshot('../../.env.example')
})
