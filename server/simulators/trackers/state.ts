/** A domain in a tracker's database. */
export type SimTrackedDomain = {
  readonly id: string
  /** Punycode, lower case. */
  readonly name: string
  archived: boolean
  campaignId: string | null
  groupId: string | null
  sslRedirect: boolean
  ssl: 'issued' | 'pending' | 'error'
  /** The problem found by the tracker's own check; null: none. */
  error: { readonly description: string; readonly solution: string } | null
  /** The next check finds no problem. */
  healed: boolean
  /** Number of requested checks. */
  checks: number
  readonly createdAtMs: number
}

type SimCampaign = {
  readonly id: string
  readonly name: string
  /** The alias in its links. */
  readonly alias: string
  state: 'active' | 'disabled' | 'deleted'
  domainId: string | null
}

export type SimTrackedDomainInput = Pick<SimTrackedDomain, 'name'> & Partial<Omit<SimTrackedDomain, 'name' | 'checks'>>

export type TrackerState = ReturnType<typeof createTrackerState>

/**
 * The state of one tracker of any kind.
 * @param idOf the id of the n-th added domain, from 1
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
    /** Can be revoked, as by a tracker's owner. */
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
    /** An active domain takes precedence over an archived one. */
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
    /** Returns its id. */
    addGroup(name: string): string {
      const id = String(groups.size + 1)
      groups.set(id, name)
      return id
    },
    /** Checks a domain, as the tracker itself does periodically. */
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

/** The parsed JSON body; empty if invalid. */
export function parseBody(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** An id in a body; null and 0 mean none, undefined: absent. */
export function idIn(body: Readonly<Record<string, unknown>>, field: string): string | null | undefined {
  const value = body[field]
  if (value === undefined) return undefined
  return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0) ? String(value) : null
}
