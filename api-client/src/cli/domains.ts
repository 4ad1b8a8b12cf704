import type { Domain } from '../procedures.gen.ts'
import { UsageError } from './context.ts'
import type { Command, CommandContext } from './context.ts'
import { listed, told } from './print.ts'

const idForm = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** A domain by its name or its id. @throws UsageError where there is none of that name */
export async function findDomain({ panel }: Pick<CommandContext, 'panel'>, given: string | undefined): Promise<Domain> {
  if (given === undefined) throw new UsageError('say which domain')
  if (idForm.test(given)) return (await panel.domains.get({ id: given })).zone
  const name = given.toLowerCase().replace(/\.$/, '')
  for await (const domain of panel.domains.all({ filter: { search: name } })) {
    if (domain.name === name || domain.displayName === name) return domain
  }
  throw new UsageError(`there is no domain ${given}`)
}

const filterNames = ['search', 'status', 'health', 'ssl', 'ip', 'email'] as const

export const listDomains: Command = async ({ panel, io, format, options }) => {
  const given = Object.fromEntries(filterNames.flatMap((name) => (typeof options[name] === 'string' ? [[name, options[name]]] : [])))
  const limit = Number(options['limit'] ?? Infinity)
  if (!(limit > 0)) throw new UsageError('--limit is a number above 0')
  const domains: Domain[] = []
  // What a filter does not know the panel refuses by name.
  for await (const domain of panel.domains.all({ filter: given })) {
    if (domains.push(domain) >= limit) break
  }
  const rows = domains.map(({ displayName, status, health, originIPs, sslMode, account, group, id }) => ({
    name: displayName,
    status,
    health,
    address: originIPs.join(' '),
    ssl: sslMode,
    account: account.email,
    group: group?.name ?? null,
    id,
  }))
  io.out(listed(format, rows, ['name', 'status', 'health', 'address', 'ssl', 'account', 'group', 'id'], domains))
  return 0
}

export const getDomain: Command = async (context) => {
  const domain = await findDomain(context, context.names[0])
  if (context.format !== 'table') {
    context.io.out(JSON.stringify(domain, null, 2))
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
    account,
    group,
    registrar,
    paidUntil,
    recordsCount,
  } = domain
  context.io.out(
    told({
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
      records: recordsCount,
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
