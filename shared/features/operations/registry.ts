import { z } from 'zod'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'
import { dnsAddRequest, dnsDeleteRequest, dnsEditRequest, dnsReplaceRequest } from './record-requests.ts'
import {
  dnssecRequest,
  groupRequest,
  ipAccessAddRequest,
  ipAccessDeleteRequest,
  ipRequest,
  nothingRequest,
  profileRequest,
  registrarRequest,
  replaceRequest,
  settingsRequest,
  trackerBindRequest,
  trackerUnbindRequest,
} from './requests.ts'
import {
  accessSubject,
  addedSubject,
  addressSubject,
  editedSubject,
  filterSubject,
  profileSubject,
  redirectsSubject,
  replacedSubject,
  settingsSubject,
  switchSubject,
} from './subjects.ts'

/** The properties of a kind of operation. */
interface OperationKindRow {
  /**
   * The kind of its items: domains of the panel, which one preview serves for all such kinds; names that become domains; names at registrars;
   * domains of trackers that need not be in the panel; batches of an account's redirects; or the items of another operation.
   */
  readonly target: 'domains' | 'new_domains' | 'registrar_names' | 'tracker_domains' | 'redirects' | 'operation'
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
  /** It cannot take a domain down, so it is not listed among what changed before an outage. */
  readonly harmless?: true
  /** Items depend on each other or on an accepted total, so none can be excluded from a draft. */
  readonly indivisible?: true
  /** The input of a kind for domains. */
  readonly request?: z.ZodType
  /**
   * What a list shows after its name: the address that is set, the URL that domains are redirected to, the records that are added, matched or replaced, the settings that are changed
   * (`key=value`, or the key of one with several values), or automatic renewal `on` or `off`. Absent if the name says it all.
   */
  readonly subject?: (input: unknown) => string | null
}

/** What most kinds are. */
const change = { target: 'domains', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare' } as const

/**
 * One row per kind. A new one needs its implementation in `server/features/operations/kinds`, texts in `operations`, and a form if it has input.
 */
export const operationRegistry = {
  settings: { ...change, request: settingsRequest, subject: settingsSubject },
  ip: { ...change, request: ipRequest, subject: addressSubject },
  dns_add: { ...change, request: dnsAddRequest, subject: addedSubject },
  dns_delete: { ...change, request: dnsDeleteRequest, subject: filterSubject },
  dns_replace: { ...change, request: dnsReplaceRequest, subject: replacedSubject },
  dns_edit: { ...change, request: dnsEditRequest, subject: editedSubject },
  ip_access_add: { ...change, request: ipAccessAddRequest, subject: accessSubject },
  ip_access_delete: { ...change, request: ipAccessDeleteRequest, subject: accessSubject },
  profile: { ...change, request: profileRequest, subject: profileSubject },
  // A group grants access to others.
  group: { ...change, access: 'manage', request: groupRequest, harmless: true },
  registrar: { ...change, request: registrarRequest, harmless: true },
  name_servers: { ...change, calls: 'registrar', request: nothingRequest },
  dnssec: { ...change, calls: 'any', request: dnssecRequest, subject: switchSubject },
  purge: { ...change, undo: 'none', request: nothingRequest },
  delete: { ...change, access: 'manage', action: 'delete', request: nothingRequest },
  refresh: { ...change, undo: 'nothing', request: nothingRequest, harmless: true },
  tracker_bind: { ...change, calls: 'tracker', request: trackerBindRequest },
  tracker_unbind: { ...change, calls: 'tracker', request: trackerUnbindRequest },
  tracker_check: { ...change, undo: 'nothing', calls: 'tracker', request: nothingRequest, harmless: true },
  replace: { ...change, access: 'manage', undo: 'by_domain', calls: 'any', request: replaceRequest },
  create: { target: 'new_domains', access: 'manage', undo: 'whole', action: 'create', calls: 'cloudflare', indivisible: true },
  buy: { target: 'new_domains', access: 'own', undo: 'none', action: 'create', calls: 'any', pays: true, indivisible: true },
  renew: {
    target: 'registrar_names',
    access: 'own',
    undo: 'none',
    action: 'update',
    calls: 'registrar',
    pays: true,
    indivisible: true,
    harmless: true,
  },
  auto_renew: {
    target: 'registrar_names',
    access: 'own',
    undo: 'whole',
    action: 'update',
    calls: 'registrar',
    subject: switchSubject,
    harmless: true,
  },
  tracker_archive: { target: 'tracker_domains', access: 'manage', undo: 'none', action: 'update', calls: 'tracker' },
  redirects: { target: 'redirects', access: 'operate', undo: 'whole', action: 'update', calls: 'cloudflare', subject: redirectsSubject },
  undo: { target: 'operation', access: 'operate', undo: 'by_domain', action: 'update', calls: 'cloudflare' },
} as const satisfies Record<string, OperationKindRow>

type Registry = typeof operationRegistry
export type OperationKindName = keyof Registry
export const operationKindNames = Object.keys(operationRegistry) as OperationKindName[]
export const harmlessKinds = operationKindNames.filter((kind) => 'harmless' in operationRegistry[kind])

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

/** What a list shows of the stored input of an operation. */
export const operationSubject = (kind: string, input: unknown): string | null => findKind(kind)?.subject?.(input) ?? null
