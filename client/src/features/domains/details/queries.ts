import type { Domain, DomainDetails } from '#shared/features/domains/schema.ts'
import { trpc, utils } from '#client/lib/trpc.ts'
import { loadedDomains, refreshDomains } from '../list/queries.ts'

/** What a list's row does not report. */
const missingDetails = {
  providerAccount: null,
  originalNameServers: [],
  originalRegistrar: null,
  originalDnsHost: null,
  verificationKey: null,
  cnameSuffix: null,
  vanityNameServers: [],
  pageRuleQuota: null,
  pageRulesUsed: null,
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
  return row && { zone: { ...row, ...missingDetails, _count: { dnsRecords: row.recordsCount } } }
}

/** A domain from the mirror; immediately as its row in a list shows it (`isPlaceholderData`), where one has been read. */
export const useZone = (id: string) => trpc.domains.full.useQuery({ id }, { placeholderData: () => seedOf(id) })

/** Shows what a call has answered of a domain, before anything is read again. */
export function showZone(id: string, changes: Partial<DomainDetails>): void {
  utils.domains.full.setData({ id }, (before) => before && { zone: { ...before.zone, ...changes } })
}

/** Reads again what a change of a domain may have touched; old answers stay in view meanwhile. */
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
