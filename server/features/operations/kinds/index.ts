import type { OperationKind } from '../operation-kind.ts'
import { buy } from './buy.ts'
import { create } from './create.ts'
import { profile } from './profile.ts'
import { dnsAdd, dnsDelete, dnsEdit, dnsReplace } from './dns.ts'
import { ip } from './records.ts'
import { nameServers, registrar } from './registrars.ts'
import { autoRenew, renew } from './registrar-names.ts'
import { replace } from './replace.ts'
import { settings } from './settings.ts'
import { trackerArchive, trackerBind, trackerCheck, trackerUnbind } from './trackers.ts'
import { undo } from './undo.ts'
import { group, purge, refresh, remove } from './whole-zone.ts'

const all = [
  settings,
  ip,
  dnsAdd,
  dnsDelete,
  dnsReplace,
  dnsEdit,
  group,
  registrar,
  nameServers,
  profile,
  purge,
  remove,
  refresh,
  undo,
  create,
  buy,
  trackerBind,
  trackerUnbind,
  trackerCheck,
  trackerArchive,
  replace,
  autoRenew,
  renew,
]

/** What can be done to many domains, by its name. */
export const operationKinds: Readonly<Record<string, OperationKind>> = Object.fromEntries(
  all.map((kind) => [kind.name, kind as OperationKind]),
)
