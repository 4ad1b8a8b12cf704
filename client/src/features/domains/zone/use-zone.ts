import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { trpc } from '#client/lib/trpc.ts'
import { loadedDomains } from '../use-domain-rows.ts'

/** What a list's row does not tell. */
const untold = {
  providerAccount: null,
  originalNameServers: [],
  originalRegistrar: null,
  originalDnsHost: null,
  verificationKey: null,
  cnameSuffix: null,
  vanityNameServers: [],
  pageRuleQuota: null,
  customCertificateQuota: null,
  activatedAt: null,
  modifiedAt: null,
  recordsReadAt: null,
  settingsReadAt: null,
}

function seedOf(id: string): { zone: DomainDetails } | undefined {
  const row = loadedDomains().get(id)
  return row && { zone: { ...row, ...untold, _count: { dnsRecords: row.recordsCount } } }
}

/** A domain from the mirror; at once as its row in a list shows it (`isPlaceholderData`), where one has been read. */
export const useZone = (id: string) => trpc.domains.full.useQuery({ id }, { placeholderData: () => seedOf(id) })
