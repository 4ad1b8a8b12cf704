import {
  IconArrowForwardUp,
  IconFlag,
  IconFolders,
  IconHeartRateMonitor,
  IconHistory,
  IconKey,
  IconListCheck,
  IconServer2,
  IconReceipt2,
  IconSettings,
  IconShoppingCart,
  IconStack2,
  IconTargetArrow,
  IconUsers,
  IconWorld,
  type Icon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { Role } from '#shared/features/auth/schema.ts'
import type { QuickAddId } from '#client/lib/quick-add.ts'

interface NavigationGroup {
  id: 'management' | 'actions' | 'system'
  items: readonly NavigationItem[]
}

export interface NavigationItem {
  to: NonNullable<LinkProps['to']>
  label:
    | 'nav.abuse_reports'
    | 'nav.domains'
    | 'nav.groups'
    | 'nav.accounts'
    | 'nav.addresses'
    | 'nav.monitoring'
    | 'nav.operations'
    | 'nav.profiles'
    | 'nav.redirects'
    | 'nav.registrars'
    | 'nav.register_domains'
    | 'nav.settings'
    | 'nav.trackers'
    | 'nav.activity'
    | 'nav.users'
  icon: Icon
  /** `g` followed by this key opens it. */
  key: string
  adminOnly?: boolean
  quickAdd?: QuickAddId
  /** What the palette offers besides: an action of one of its tabs, and what is within the page. */
  paletteAdd?: QuickAddId
  within?: readonly NestedPage[]
}

/** A page or tab without an entry of its own. */
export interface NestedPage {
  id:
    | 'lookup'
    | 'traffic'
    | 'idle'
    | 'ungrouped'
    | 'renewals'
    | 'name_servers'
    | 'unbound'
    | 'reserve'
    | 'changes'
    | 'security_settings'
    | 'system_settings'
    | 'monitoring_settings'
    | 'tracker_settings'
    | 'me'
  to: NonNullable<LinkProps['to']>
  search?: Readonly<Record<string, string>>
  adminOnly?: boolean
}

/** The rows of the sidebar, the palette and the `g` shortcuts: a new page adds one. */
export const navigation: readonly NavigationGroup[] = [
  {
    id: 'management',
    items: [
      {
        to: '/domains',
        label: 'nav.domains',
        icon: IconWorld,
        key: 'd',
        quickAdd: 'domain',
        within: [
          { id: 'lookup', to: '/domains/lookup' },
          { id: 'traffic', to: '/domains/traffic' },
          { id: 'idle', to: '/domains', search: { traffic: 'idle' } },
          { id: 'ungrouped', to: '/domains', search: { traffic: 'ungrouped' } },
        ],
      },
      { to: '/groups', label: 'nav.groups', icon: IconFolders, key: 'g', quickAdd: 'group' },
      {
        to: '/accounts',
        label: 'nav.accounts',
        icon: IconKey,
        key: 'a',
        quickAdd: 'account',
      },
      {
        to: '/registrars',
        label: 'nav.registrars',
        icon: IconReceipt2,
        key: 'r',
        quickAdd: 'registrar',
        within: [
          { id: 'renewals', to: '/registrars/renewals' },
          { id: 'name_servers', to: '/registrars/name-servers' },
          { id: 'unbound', to: '/registrars/unbound' },
        ],
      },
      { to: '/profiles', label: 'nav.profiles', icon: IconListCheck, key: 'p', quickAdd: 'profile' },
      { to: '/addresses', label: 'nav.addresses', icon: IconServer2, key: 'i' },
      { to: '/redirects', label: 'nav.redirects', icon: IconArrowForwardUp, key: 'e' },
      { to: '/operations', label: 'nav.operations', icon: IconStack2, key: 'o' },
      { to: '/monitoring', label: 'nav.monitoring', icon: IconHeartRateMonitor, key: 'm' },
      { to: '/abuse-reports', label: 'nav.abuse_reports', icon: IconFlag, key: 'f' },
      {
        to: '/trackers',
        label: 'nav.trackers',
        icon: IconTargetArrow,
        key: 'k',
        paletteAdd: 'reserve',
        within: [{ id: 'reserve', to: '/trackers', search: { tab: 'reserve' } }],
      },
    ],
  },
  {
    id: 'actions',
    items: [{ to: '/register-domains', label: 'nav.register_domains', icon: IconShoppingCart, key: 'b' }],
  },
  {
    id: 'system',
    items: [
      {
        to: '/activity-logs',
        label: 'nav.activity',
        icon: IconHistory,
        key: 'l',
        within: [{ id: 'changes', to: '/activity-logs/changes' }],
      },
      {
        to: '/settings',
        label: 'nav.settings',
        icon: IconSettings,
        key: 's',
        within: [
          { id: 'security_settings', to: '/settings', search: { tab: 'security' }, adminOnly: true },
          { id: 'system_settings', to: '/settings', search: { tab: 'system' } },
          { id: 'monitoring_settings', to: '/settings', search: { tab: 'monitoring' } },
          { id: 'tracker_settings', to: '/settings', search: { tab: 'trackers' } },
          { id: 'me', to: '/me' },
        ],
      },
      { to: '/users', label: 'nav.users', icon: IconUsers, key: 'u', adminOnly: true, quickAdd: 'user' },
    ],
  },
]

/** The entries visible to this role, without empty groups. */
export const navigationFor = (role: Role): readonly NavigationGroup[] =>
  navigation
    .map((group) => ({ ...group, items: group.items.filter((item) => !item.adminOnly || role === 'admin') }))
    .filter((group) => group.items.length > 0)
