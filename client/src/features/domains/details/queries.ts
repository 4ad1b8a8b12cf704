import type { Domain, DomainDetails } from '#shared/features/domains/schema.ts'
import { trpc, utils } from '#client/lib/trpc.ts'
import { loadedDomains, refreshDomains } from '../list/queries.ts'

/** Fields that a list row does not have. */
const missingDetails = {
  zoneId: '',
  nameServers: [],
  plan: null,
  type: '',
  hsts: null,
  paidSource: null,
  paidReadAt: null,
  autoRenew: null,
  providerAccount: null,
  originalNameServers: [],
  originalRegistrar: null,
  originalDnsHost: null,
  verificationKey: null,
  cnameSuffix: null,
  vanityNameServers: [],
  pageRuleQuota: null,
  pageRulesUsed: null,
  rulesCount: null,
  customCertificateQuota: null,
  certificates: null,
  developmentModeEndsAt: null,
  activatedAt: null,
  modifiedAt: null,
  recordsReadAt: null,
  recordsChangedAt: null,
  settingsReadAt: null,
}

function seedOf(id: string): { zone: DomainDetails } | undefined {
  const row = loadedDomains().get(id)
  return row && { zone: { ...row, ...missingDetails, listedAt: row.updatedAt, _count: { dnsRecords: row.recordsCount } } }
}

/** A domain from the mirror, initially from its list row (`isPlaceholderData`) if one is cached. */
export const useZone = (id: string) => trpc.domains.full.useQuery({ id }, { placeholderData: () => seedOf(id) })

/** Shows the response of a call before any refetch. */
export function showZone(id: string, changes: Partial<DomainDetails>): void {
  utils.domains.full.setData({ id }, (before) => before && { zone: { ...before.zone, ...changes } })
}

/** Refetches what a change of a domain may affect; old data stays visible meanwhile. */
export async function renewZone(zone?: Domain): Promise<void> {
  if (zone !== undefined) showZone(zone.id, zone)
  await Promise.all([
    refreshDomains(),
    utils.groups.invalidate(),
    utils.records.list.invalidate(),
    utils.history.list.invalidate(),
    utils.zoneSettings.ssl.invalidate(),
  ])
}
