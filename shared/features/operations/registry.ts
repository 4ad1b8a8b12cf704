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

/** What the kinds of operations differ in. */
interface OperationKindRow {
  /**
   * What its items are: domains of the panel, which one preview serves for all such kinds; names that become domains; names at registrars, domains of trackers
   * that need not be in the panel, or the items of another operation.
   */
  readonly target: 'domains' | 'new_domains' | 'registrar_names' | 'tracker_domains' | 'operation'
  /** What the actor needs of each domain; `own`: of the registrar, because it is its owner's money. What registrars and trackers take the plan checks. */
  readonly access: ShareLevel | 'own'
  /**
   * How what it did is undone: as a whole, by an operation of its own; domain by domain, from their histories; not at all; or there is nothing to undo, as it
   * only looks.
   */
  readonly undo: 'whole' | 'by_domain' | 'none' | 'nothing'
  /** What the activity log calls its start. */
  readonly action: 'create' | 'update' | 'delete'
  /** Whom the calls are made to. */
  readonly calls: 'cloudflare' | 'registrar' | 'tracker' | 'any'
  /** Its cost is held against spending limits, and above an amount a person proves again who they are. */
  readonly pays?: true
  /** Items depend on each other or on a sum that was agreed to: none of a draft can be left out. */
  readonly indivisible?: true
  /** What a kind for domains takes. */
  readonly request?: z.ZodType
}

/** One row a kind. A new one needs its implementation in `server/features/operations/kinds`, texts in `operations`, and, where it asks for something, a form. */
export const operationRegistry = {
  settings: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: settingsRequest },
  ip: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: ipRequest },
  dns_add: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: dnsAddRequest },
  dns_delete: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: dnsDeleteRequest },
  dns_replace: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: dnsReplaceRequest },
  dns_edit: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: dnsEditRequest },
  profile: { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', request: profileRequest },
  // A group lets others in.
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

/** Kinds that are done to chosen domains. */
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

/** Each kind for domains with what it takes. */
export const operationRequest: z.ZodType<OperationRequest, RequestOf<DomainKind, 'input'>> = z.discriminatedUnion('kind', [
  first,
  ...others,
]) as never

/** The row of a stored kind; null: one that nobody knows any more. */
export const findKind = (kind: string): OperationKindRow | null =>
  Object.hasOwn(operationRegistry, kind) ? operationRegistry[kind as OperationKindName] : null
