import type { Input } from '../calls.ts'
import type { Domain } from '../procedures.gen.ts'
import { numberOf, UsageError } from './context.ts'
import type { Command, CommandContext } from './context.ts'
import { detailsOf, listed } from './print.ts'
import type { Row } from './print.ts'

const idForm = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/**
 * Finds a domain by its name or id.
 * @throws UsageError if there is none with that name, or several: a name can exist in more than one account
 */
export async function findDomain({ panel }: Pick<CommandContext, 'panel'>, given = ''): Promise<Domain> {
  if (idForm.test(given)) return (await panel.domains.get({ id: given })).zone
  const name = given.toLowerCase().replace(/\.$/, '')
  const found: Domain[] = []
  for await (const domain of panel.domains.all({ filter: { search: name } })) {
    if (domain.name === name || domain.displayName === name) found.push(domain)
  }
  const [domain, ...others] = found
  if (domain === undefined) throw new UsageError(`domain ${given} not found`)
  if (others.length > 0) {
    const lines = found.map(({ id, status, account }) => `  ${id}  ${status} in ${account.email}`)
    throw new UsageError([`${given} exists in several accounts; specify it by ID:`, ...lines].join('\n'))
  }
  return domain
}

const columns = ['name', 'status', 'health', 'address', 'ssl', 'account', 'group', 'id'] as const
const rowOf = ({ displayName, status, health, originIPs, sslMode, account, group, id }: Domain): Row => ({
  name: displayName,
  status,
  health,
  address: originIPs.join(' '),
  ssl: sslMode,
  account: account.email,
  group: group?.name ?? null,
  id,
})

/** The panel's maximum page size. */
const longestPage = 200
/** The options that filter domains; their names are those of the fields, with hyphens. */
export const filterNames = [
  'search',
  'status',
  'health',
  'ssl',
  'bot-fight-mode',
  'ai-bots',
  'ai-labyrinth',
  'managed-robots-txt',
  'dnssec',
  'origin-certificate',
  'traffic',
  'ip',
  'email',
] as const
const fieldOf = (option: string) => option.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** The filter for domains in the options; the panel rejects a malformed one. */
export const filterOf = (options: CommandContext['options']): NonNullable<Input<'domains.list'>['filter']> =>
  Object.fromEntries(filterNames.flatMap((name) => (typeof options[name] === 'string' ? [[fieldOf(name), options[name]]] : [])))

export const listDomains: Command = async ({ panel, io, format, options }) => {
  const limit = numberOf(options, 'limit', 1) ?? Infinity
  const domains: Domain[] = []
  for await (const domain of panel.domains.all({ filter: filterOf(options), limit: Math.min(limit, longestPage) })) {
    if (domains.push(domain) >= limit) break
  }
  io.out(listed(format, domains.map(rowOf), columns, domains))
  return 0
}

export const getDomain: Command = async (context) => {
  const domain = await findDomain(context, context.names[0])
  if (context.format !== 'table') {
    context.io.out(listed(context.format, [rowOf(domain)], columns, domain))
    return 0
  }
  const {
    displayName,
    id,
    status,
    health,
    plan,
    originIPs,
    nameServers,
    sslMode,
    tlsMin,
    https,
    botFightMode,
    aiBots,
    aiLabyrinth,
    managedRobotsTxt,
    dnssecStatus,
    originCertificate,
    originCertificateExpiresAt,
    account,
    group,
    registrar,
    paidUntil,
    recordsCount,
    traffic,
  } = domain
  context.io.out(
    detailsOf({
      name: displayName,
      id,
      status,
      health,
      plan,
      addresses: originIPs.join(' '),
      'name servers': nameServers.join(' '),
      ssl: sslMode,
      'minimum TLS': tlsMin,
      'always HTTPS': https,
      'Bot Fight Mode': botFightMode,
      'AI bots': aiBots,
      'AI Labyrinth': aiLabyrinth,
      'managed robots.txt': managedRobotsTxt,
      DNSSEC: dnssecStatus,
      'origin certificate': originCertificate,
      'origin certificate expires': originCertificateExpiresAt,
      records: recordsCount,
      'requests in 30 days': traffic?.requests ?? null,
      account: account.email,
      group: group?.name ?? null,
      registrar: registrar?.name ?? null,
      'paid until': paidUntil,
    }),
  )
  return 0
}

export const listAccounts: Command = async ({ panel, io, format }) => {
  const { accounts } = await panel.accounts.list()
  const rows = accounts.map(({ email, name, kind, health, zonesCount, id }) => ({ email, name, kind, health, domains: zonesCount, id }))
  io.out(listed(format, rows, ['email', 'name', 'kind', 'health', 'domains', 'id'], accounts))
  return 0
}
