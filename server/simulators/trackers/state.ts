/** A domain as a tracker's database has it. */
export type SimTrackedDomain = {
  readonly id: string
  /** Punycode, lower case. */
  readonly name: string
  archived: boolean
  campaignId: string | null
  groupId: string | null
  sslRedirect: boolean
  ssl: 'issued' | 'pending' | 'error'
  /** What the tracker's own look at it found; null: nothing wrong. */
  error: { readonly description: string; readonly solution: string } | null
  /** The next look finds nothing wrong. */
  healed: boolean
  /** How often it was looked at because somebody asked. */
  checks: number
  readonly createdAtMs: number
}

type SimCampaign = {
  readonly id: string
  readonly name: string
  /** The word in its links. */
  readonly alias: string
  state: 'active' | 'disabled' | 'deleted'
  domainId: string | null
}

export type SimTrackedDomainInput = Pick<SimTrackedDomain, 'name'> & Partial<Omit<SimTrackedDomain, 'name' | 'checks'>>

export type TrackerState = ReturnType<typeof createTrackerState>

/**
 * What one tracker knows, whatever its program.
 * @param idOf the id of the domain that is added as the n-th, from 1
 */
export function createTrackerState(options: {
  readonly apiKey: string
  readonly idOf: (serial: number) => string
  readonly now?: () => number
}) {
  const now = options.now ?? Date.now
  const domains = new Map<string, SimTrackedDomain>()
  const campaigns = new Map<string, SimCampaign>()
  const groups = new Map<string, string>()
  let serial = 0
  const state = {
    /** May be taken away, as a tracker's owner does. */
    apiKey: options.apiKey,
    now,
    domains,
    campaigns,
    /** Names by id. */
    groups,
    add(input: SimTrackedDomainInput): SimTrackedDomain {
      serial += 1
      const domain: SimTrackedDomain = {
        id: options.idOf(serial),
        archived: false,
        campaignId: null,
        groupId: null,
        sslRedirect: false,
        ssl: 'issued',
        error: null,
        healed: false,
        createdAtMs: now(),
        ...input,
        checks: 0,
      }
      domains.set(domain.id, domain)
      return domain
    },
    /** One in use goes before one in the archive. */
    find(name: string): SimTrackedDomain | null {
      const all = [...domains.values()].filter((domain) => domain.name === name)
      return all.find(({ archived }) => !archived) ?? all[0] ?? null
    },
    addCampaign(name: string, input: Partial<SimCampaign> = {}): SimCampaign {
      const id = String(campaigns.size + 1)
      const campaign: SimCampaign = { id, name, alias: `c${id}`, state: 'active', domainId: null, ...input }
      campaigns.set(campaign.id, campaign)
      return campaign
    },
    /** Answers its id. */
    addGroup(name: string): string {
      const id = String(groups.size + 1)
      groups.set(id, name)
      return id
    },
    /** Looks at a domain as the tracker does itself now and then. */
    check(domain: SimTrackedDomain): void {
      domain.checks += 1
      if (!domain.healed) return
      domain.error = null
      if (domain.ssl === 'error') domain.ssl = 'issued'
    },
    campaignsOf: (domain: SimTrackedDomain): number =>
      [...campaigns.values()].filter((each) => each.state !== 'deleted' && (each.domainId === domain.id || each.id === domain.campaignId))
        .length,
    clear(): void {
      domains.clear()
      campaigns.clear()
      groups.clear()
    },
  }
  return state
}

/** `2026-11-22 11:40:00`, in UTC. */
export const stamp = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** The content of a JSON body; empty where it is none. */
export function parseBody(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** An id in a body; null and 0 are none, undefined: not given. */
export function idIn(body: Readonly<Record<string, unknown>>, field: string): string | null | undefined {
  const value = body[field]
  if (value === undefined) return undefined
  return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0) ? String(value) : null
}
