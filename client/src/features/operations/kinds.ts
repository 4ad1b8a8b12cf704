import type { DomainKind, OperationKindName } from '#shared/features/operations/registry.ts'
import type { ItemsView } from './search.ts'

export type BulkKind = DomainKind | 'auto_renew' | 'renew' | 'redirects'

/** How a kind is offered and shown. What is absent is as for a change of domains. */
interface KindRow {
  /** The menu of selected domains that offers it, and whether only their owner or a manager may use it. */
  readonly menu?: 'dns' | 'tracker' | 'more'
  readonly needs?: 'owned' | 'managed'
  /** Texts of the preview: the label of what it affects, the button that starts it, and why nothing is left to change. */
  readonly affected?: `preview.${string}`
  readonly run?: `preview.run_${string}`
  readonly unchanged?: `bulk.${string}`
  /** The title of a failed preview or start. */
  readonly failed?: `${string}:${string}`
  /** The change of a domain as a whole. */
  readonly change?: `change.${string}`
  /** Its objects are lost: a confirmation by a typed word. */
  readonly destroys?: true
  /** It does not update domains: its toast shows only a count. */
  readonly countedOnly?: true
  /** Its form needs a wide dialog. */
  readonly wide?: true
  /** What follows its name in lists: a new value, a switch, settings, or a profile (empty: it is detached); anything else as it is. */
  readonly subject?: 'value' | 'switch' | 'settings' | 'profile'
  /** Its items have steps, instead of a change or in addition to it. */
  readonly steps?: 'only' | 'also'
  /** The views of its page; the first is the default. */
  readonly views?: readonly ItemsView[]
}

/** One row per kind, in the order of the menus. Its form is in `forms` of `bulk-dialog.tsx`, whose code is loaded only with that dialog. */
const rows = {
  settings: { subject: 'settings' },
  ip: { subject: 'value', failed: 'zone:failed.ip' },
  dns_add: { menu: 'dns', run: 'preview.run_dns_add', wide: true, failed: 'operations:failed.dns_add' },
  dns_edit: { menu: 'dns' },
  dns_replace: { menu: 'dns' },
  dns_delete: { menu: 'dns', run: 'preview.run_dns_delete', failed: 'operations:failed.dns_delete' },
  ip_access_add: { menu: 'more' },
  ip_access_delete: { menu: 'more' },
  redirects: { menu: 'more', countedOnly: true, subject: 'value' },
  profile: { menu: 'more', subject: 'profile' },
  group: { menu: 'more', needs: 'managed' },
  registrar: { menu: 'more' },
  name_servers: { menu: 'more', unchanged: 'bulk.servers_unchanged' },
  dnssec: { menu: 'more', subject: 'switch', unchanged: 'bulk.dnssec_unchanged' },
  auto_renew: { menu: 'more', needs: 'owned', subject: 'switch' },
  renew: { menu: 'more', needs: 'owned', affected: 'preview.renewed', run: 'preview.run_renew', views: ['items', 'receipt'] },
  purge: { menu: 'more', affected: 'preview.purged', run: 'preview.run_purge', change: 'change.purge', countedOnly: true },
  refresh: { menu: 'more', affected: 'preview.refreshed', run: 'preview.run_refresh', change: 'change.refresh' },
  replace: { menu: 'more', needs: 'owned', affected: 'preview.replaced', run: 'preview.run_replace', steps: 'also' },
  tracker_bind: { menu: 'tracker', affected: 'preview.bound', run: 'preview.run_tracker_bind', failed: 'operations:failed.tracker_bind' },
  tracker_unbind: { menu: 'tracker', affected: 'preview.unbound', run: 'preview.run_tracker_unbind' },
  tracker_check: { menu: 'tracker', affected: 'preview.checked', run: 'preview.run_tracker_check' },
  tracker_archive: { affected: 'preview.archived', run: 'preview.run_tracker_archive' },
  delete: {
    affected: 'preview.deleted',
    run: 'preview.run_delete',
    failed: 'errors:general.bulk_deletion',
    destroys: true,
    countedOnly: true,
  },
  create: {
    affected: 'preview.added',
    run: 'preview.run_create',
    failed: 'domains:add.failed_many',
    countedOnly: true,
    views: ['servers', 'items', 'log'],
  },
  buy: { affected: 'preview.bought', run: 'preview.run_buy', failed: 'operations:failed.buy', steps: 'only', views: ['items', 'receipt'] },
  undo: { affected: 'preview.restored', run: 'preview.run_undo', countedOnly: true },
} as const satisfies Record<OperationKindName, KindRow>

type Row = (typeof rows)[OperationKindName]
/** A row with the texts that exist, so that a missing one fails the type check. */
type KindView = { readonly [K in keyof KindRow]?: Extract<Row, Readonly<Record<K, unknown>>>[K] }

/** The row of a stored kind, which may be unknown here. */
export const kindView = (kind: string): KindView => (Object.hasOwn(rows, kind) ? rows[kind as OperationKindName] : {})

export const kindNames = Object.keys(rows) as OperationKindName[]

type OfMenu<Menu> = { [K in OperationKindName]: (typeof rows)[K] extends { readonly menu: Menu } ? K : never }[OperationKindName]
/** The kinds that a menu of selected domains offers. */
export const kindsOfMenu = <Menu extends NonNullable<KindRow['menu']>>(menu: Menu): OfMenu<Menu>[] =>
  kindNames.filter((kind): kind is OfMenu<Menu> => kindView(kind).menu === menu)
