import { z } from 'zod'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'
import { dnsAddRequest, dnsDeleteRequest, dnsEditRequest, dnsReplaceRequest } from './record-requests.ts'
import {
  groupRequest,
  ipRequest,
  nothingRequest,
  profileRequest,
  registrarRequest,
  replaceRequest,
  settingsRequest,
  trackerBindRequest,
  trackerUnbindRequest,
} from './requests.ts'

/** The properties of a kind of operation. */
interface OperationKindRow {
  /**
   * The kind of its items: domains of the panel, which one preview serves for all such kinds; names that become domains; names at registrars;
   * domains of trackers that need not be in the panel; or the items of another operation.
   */
  readonly target: 'domains' | 'new_domains' | 'registrar_names' | 'tracker_domains' | 'operation'
  /**
   * The access level required on each domain; `own`: on the registrar, because it is its owner's money. The plan checks what registrars and
   * trackers require.
   */
  readonly access: ShareLevel | 'own'
  /**
   * How it is undone: as a whole by another operation; per domain from its history; not at all; or there is nothing to undo because it only
   * reads.
   */
  readonly undo: 'whole' | 'by_domain' | 'none' | 'nothing'
  /** The action of its start in the activity log. */
  readonly action: 'create' | 'update' | 'delete'
  /** The vendor that is called. */
  readonly calls: 'cloudflare' | 'registrar' | 'tracker' | 'any'
  /** Its cost counts against spending limits, and above an amount the user must authenticate again. */
  readonly pays?: true
  /** Items depend on each other or on an accepted total, so none can be excluded from a draft. */
  readonly indivisible?: true
  /** The input of a kind for domains. */
  readonly request?: z.ZodType
}

/**
 * One row per kind. A new one needs its implementation in `server/features/operations/kinds`, texts in `operations`, and a form if it has input.
 */
export const operationRegistry = {
  settings: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: settingsRequest },
  ip: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: ipRequest },
  dns_add: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: dnsAddRequest },
  dns_delete: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: dnsDeleteRequest },
  dns_replace: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: dnsReplaceRequest },
  dns_edit: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: dnsEditRequest },
  profile: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: profileRequest },
  // A group grants access to others.
  group: { target: 'domains', access: 'manage', undo: 'whole', action: 'update', calls: 'cloudflare', request: groupRequest },
  registrar: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: registrarRequest },
  name_servers: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'registrar', request: nothingRequest },
  purge: { target: 'domains', access: 'operate', undo: 'none', action: 'update', calls: 'cloudflare', request: nothingRequest },
  delete: { target: 'domains', access: 'manage', undo: 'whole', action: 'delete', calls: 'cloudflare', request: nothingRequest },
  refresh: { target: 'domains', access: 'operate', undo: 'nothing', action: 'update', calls: 'cloudflare', request: nothingRequest },
  tracker_bind: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'tracker', request: trackerBindRequest },
  tracker_unbind: {
    target: 'domains',
    access: 'operate',
    undo: 'whole',
    action: 'update',
    calls: 'tracker',
    request: trackerUnbindRequest,
  },
  tracker_check: { target: 'domains', access: 'operate', undo: 'nothing', action: 'update', calls: 'tracker', request: nothingRequest },
  replace: { target: 'domains', access: 'manage', undo: 'by_domain', action: 'update', calls: 'any', request: replaceRequest },
  create: { target: 'new_domains', access: 'manage', undo: 'whole', action: 'create', calls: 'cloudflare', indivisible: true },
  buy: { target: 'new_domains', access: 'own', undo: 'none', action: 'create', calls: 'any', pays: true, indivisible: true },
  renew: { target: 'registrar_names', access: 'own', undo: 'none', action: 'update', calls: 'registrar', pays: true, indivisible: true },
  auto_renew: { target: 'registrar_names', access: 'own', undo: 'whole', action: 'update', calls: 'registrar' },
  tracker_archive: { target: 'tracker_domains', access: 'manage', undo: 'none', action: 'update', calls: 'tracker' },
  undo: { target: 'operation', access: 'operate', undo: 'by_domain', action: 'update', calls: 'cloudflare' },
} as const satisfies Record<string, OperationKindRow>

type Registry = typeof operationRegistry
export type OperationKindName = keyof Registry
export const operationKindNames = Object.keys(operationRegistry) as OperationKindName[]

/** Kinds for selected domains. */
export type DomainKind = { [K in OperationKindName]: Registry[K] extends { readonly target: 'domains' } ? K : never }[OperationKindName]

type RequestOf<K extends DomainKind, Side extends 'input' | 'output'> = {
  [Kind in K]: { kind: Kind; input: Side extends 'input' ? z.input<Registry[Kind]['request']> : z.output<Registry[Kind]['request']> }
}[K]
export type OperationRequest = RequestOf<DomainKind, 'output'>

const requests = Object.entries(operationRegistry).flatMap(([kind, row]) =>
  'request' in row ? [z.strictObject({ kind: z.literal(kind), input: row.request })] : [],
)
const [first, ...others] = requests
if (first === undefined) throw new Error('the registry is empty')

/** Each kind for domains with its input. */
export const operationRequest: z.ZodType<OperationRequest, RequestOf<DomainKind, 'input'>> = z.discriminatedUnion('kind', [
  first,
  ...others,
]) as never

/** The row of a stored kind; null if it is unknown. */
export const findKind = (kind: string): OperationKindRow | null =>
  Object.hasOwn(operationRegistry, kind) ? operationRegistry[kind as OperationKindName] : null
