import type { Ctx } from '#server/platform/context.ts'
import { parseSource } from '#shared/features/redirects/redirect-url.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { listAnswered, listZones } from './redirects.repo.ts'

/** Hostnames of a domain. */
export interface DomainHosts {
  readonly domainId: string
  readonly domain: string
  readonly hosts: readonly string[]
}

interface Ineffective {
  /** Sources of domains that are not in the account. */
  readonly foreign: readonly string[]
  /** Sources without a proxied record; missing: nothing answers for the host, so that a record can be created. */
  readonly unserved: readonly { readonly source: string; readonly host: string; readonly isMissing: boolean }[]
  readonly missing: readonly DomainHosts[]
}

/** The sources that no request can reach: their domain is not in the account, or its traffic does not pass through Cloudflare. */
export async function findIneffective(ctx: Ctx, accountId: string, redirects: readonly Pick<Redirect, 'source'>[]): Promise<Ineffective> {
  const zones = new Map((await listZones(ctx.db.orm, accountId)).map((zone) => [zone.name, zone]))
  const served: { readonly source: string; readonly host: string; readonly domain: string }[] = []
  const foreign: string[] = []
  for (const { source } of redirects) {
    const parsed = parseSource(source)
    if ('issue' in parsed) continue
    const { host } = parsed
    const domain = parentsOf(host).find((name) => zones.has(name))
    if (domain === undefined) foreign.push(source)
    // Without its records nothing is known.
    else if (zones.get(domain)?.isRead === true) served.push({ source, host, domain })
  }
  const wanted = [...new Set(served.flatMap(({ host, domain }) => recordNames(host, domain)))]
  const answered = wanted.length === 0 ? new Map<string, boolean>() : await listAnswered(ctx.db.orm, accountId, wanted)
  const unserved: Ineffective['unserved'][number][] = []
  const missing = new Map<string, Set<string>>()
  for (const { source, host, domain } of served) {
    // A record of the host itself decides, then the wildcards from the closest one.
    const name = recordNames(host, domain).find((each) => answered.has(each))
    if (name !== undefined && answered.get(name) === true) continue
    unserved.push({ source, host, isMissing: name === undefined })
    if (name === undefined) missing.set(domain, (missing.get(domain) ?? new Set()).add(host))
  }
  return {
    foreign,
    unserved,
    missing: [...missing].flatMap(([domain, hosts]) => {
      const domainId = zones.get(domain)?.id
      return domainId === undefined ? [] : [{ domainId, domain, hosts: [...hosts] }]
    }),
  }
}

function parentsOf(host: string): string[] {
  const labels = host.split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

/** The records that answer for a host: its own and wildcards up to the domain. */
const recordNames = (host: string, domain: string): string[] => [
  host,
  ...parentsOf(host)
    .slice(1)
    .filter((parent) => parent === domain || parent.endsWith(`.${domain}`))
    .map((parent) => `*.${parent}`),
]
