import type { Ctx } from '#server/platform/context.ts'
import { parseSource } from '#shared/features/redirects/redirect-url.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { parentsOf } from './parents-of.ts'
import { listAnswered, listZones } from './redirects.repo.ts'
import type { AnsweredName } from './redirects.repo.ts'

/** Hostnames of a domain. */
export interface DomainHosts {
  readonly domainId: string
  readonly domain: string
  readonly hosts: readonly string[]
  /** Whether the records of the domain were ever read. */
  readonly isRead: boolean
}

interface SourceHost {
  readonly source: string
  readonly host: string
}

interface Ineffective {
  /** Sources of domains that are not in the account. */
  readonly foreign: readonly string[]
  /** Nothing answers for the host. */
  readonly unserved: readonly SourceHost[]
  /** The record that answers for the host is not proxied, or its subdomain is delegated. */
  readonly dnsOnly: readonly SourceHost[]
  /** The records of the domain were never read, so that it is not known what answers. */
  readonly unread: readonly SourceHost[]
  /** The hosts that nothing answers for, as far as is known. */
  readonly missing: readonly DomainHosts[]
}

/** The sources that no request can reach: their domain is not in the account, or its traffic does not pass through Cloudflare. */
export async function findIneffective(ctx: Ctx, accountId: string, redirects: readonly Pick<Redirect, 'source'>[]): Promise<Ineffective> {
  const zones = new Map((await listZones(ctx.db.orm, accountId)).map((zone) => [zone.name, zone]))
  const served: (SourceHost & { readonly domain: string })[] = []
  const foreign: string[] = []
  const domains = new Map<string, string | undefined>()
  for (const { source } of redirects) {
    const parsed = parseSource(source)
    if ('issue' in parsed) continue
    const { host } = parsed
    if (!domains.has(host))
      domains.set(
        host,
        parentsOf(host).find((name) => zones.has(name)),
      )
    const domain = domains.get(host)
    if (domain === undefined) foreign.push(source)
    else served.push({ source, host, domain })
  }
  const isRead = (domain: string) => zones.get(domain)?.isRead === true
  const answers = await listAnswers(
    ctx,
    accountId,
    [...domains].flatMap(([host, domain]) => (domain !== undefined && isRead(domain) ? [{ host, domain }] : [])),
  )
  const found = { unserved: [] as SourceHost[], dnsOnly: [] as SourceHost[], unread: [] as SourceHost[] }
  const missing = new Map<string, Set<string>>()
  for (const { source, host, domain } of served) {
    const answer = answers.get(host)
    if (answer === 'proxied') continue
    const part = !isRead(domain) ? 'unread' : answer === 'dns_only' ? 'dnsOnly' : 'unserved'
    found[part].push({ source, host })
    if (part !== 'dnsOnly') missing.set(domain, (missing.get(domain) ?? new Set()).add(host))
  }
  return {
    foreign,
    ...found,
    missing: [...missing].flatMap(([domain, hosts]) => {
      const domainId = zones.get(domain)?.id
      return domainId === undefined ? [] : [{ domainId, domain, hosts: [...hosts], isRead: isRead(domain) }]
    }),
  }
}

/** What answers for these hosts according to the stored records; nothing for the others. */
export async function listAnswers(
  ctx: Pick<Ctx, 'db'>,
  accountId: string,
  hosts: readonly { readonly host: string; readonly domain: string }[],
): Promise<Map<string, 'proxied' | 'dns_only'>> {
  const wanted = [...new Set(hosts.flatMap(({ host, domain }) => [...below(host, domain), ...recordNames(host, domain)]))]
  const answered = wanted.length === 0 ? new Map<string, AnsweredName>() : await listAnswered(ctx.db.orm, accountId, wanted)
  return new Map(
    hosts.flatMap(({ host, domain }) => {
      const answer = answerOf(host, domain, answered)
      return answer === null ? [] : [[host, answer]]
    }),
  )
}

function answerOf(host: string, domain: string, answered: ReadonlyMap<string, AnsweredName>): 'proxied' | 'dns_only' | null {
  if (below(host, domain).some((name) => answered.get(name)?.isDelegated === true)) return 'dns_only'
  // A record of the host itself decides, then the wildcards from the closest one.
  const name = recordNames(host, domain).find((each) => answered.has(each))
  return name === undefined ? null : answered.get(name)?.isProxied === true ? 'proxied' : 'dns_only'
}

/** The host and its parents below the domain, which may be delegated. */
const below = (host: string, domain: string): string[] => parentsOf(host).filter((name) => name.endsWith(`.${domain}`))

/** The records that answer for a host: its own and wildcards up to the domain. */
const recordNames = (host: string, domain: string): string[] => [
  host,
  ...parentsOf(host)
    .slice(1)
    .filter((parent) => parent === domain || parent.endsWith(`.${domain}`))
    .map((parent) => `*.${parent}`),
]
