import type { DomainKind, OperationKindName } from '#shared/features/operations/registry.ts'
import type { DomainOperationKind, OperationKind } from '../operation-kind.ts'
import { buy } from './buy.ts'
import { create } from './create.ts'
import { dnssec } from './dnssec.ts'
import { profile } from './profile.ts'
import { dnsAdd, dnsDelete, dnsEdit, dnsReplace } from './dns.ts'
import { ipAccessAdd, ipAccessDelete } from './ip-access.ts'
import { ip } from './records.ts'
import { nameServers, registrar } from './registrars.ts'
import { redirects } from './redirects.ts'
import { autoRenew, renew } from './registrar-names.ts'
import { replace } from './replace.ts'
import { settings } from './settings.ts'
import { trackerArchive, trackerBind, trackerCheck, trackerUnbind } from './trackers.ts'
import { undo } from './undo.ts'
import { group, purge, refresh, remove } from './zone.ts'

const kinds = {
  settings,
  ip,
  dns_add: dnsAdd,
  dns_delete: dnsDelete,
  dns_replace: dnsReplace,
  dns_edit: dnsEdit,
  ip_access_add: ipAccessAdd,
  ip_access_delete: ipAccessDelete,
  profile,
  group,
  registrar,
  name_servers: nameServers,
  dnssec,
  purge,
  delete: remove,
  refresh,
  tracker_bind: trackerBind,
  tracker_unbind: trackerUnbind,
  tracker_check: trackerCheck,
  tracker_archive: trackerArchive,
  replace,
  create,
  buy,
  renew,
  auto_renew: autoRenew,
  redirects,
  undo,
} satisfies { readonly [K in OperationKindName]: K extends DomainKind | 'undo' ? Pick<DomainOperationKind<never>, 'plan'> : object }

/** The implementation of each registered kind by name. Kinds for domains also plan. */
export const operationKinds = kinds as unknown as Readonly<Record<string, OperationKind | DomainOperationKind>>
