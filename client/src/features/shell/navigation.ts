import {
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
    | 'nav.domains'
    | 'nav.groups'
    | 'nav.accounts'
    | 'nav.addresses'
    | 'nav.monitoring'
    | 'nav.operations'
    | 'nav.profiles'
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
  quickAdd?: {
    id: QuickAddId
    label: 'quick_add.account' | 'quick_add.domain' | 'quick_add.group' | 'quick_add.profile' | 'quick_add.registrar'
  }
}

/** The rows of the sidebar, the palette and the `g` shortcuts: a new page adds one. */
export const navigation: readonly NavigationGroup[] = [
  {
    id: 'management',
    items: [
      { to: '/domains', label: 'nav.domains', icon: IconWorld, key: 'd', quickAdd: { id: 'domain', label: 'quick_add.domain' } },
      { to: '/groups', label: 'nav.groups', icon: IconFolders, key: 'g', quickAdd: { id: 'group', label: 'quick_add.group' } },
      {
        to: '/accounts',
        label: 'nav.accounts',
        icon: IconKey,
        key: 'a',
        quickAdd: { id: 'account', label: 'quick_add.account' },
      },
      {
        to: '/registrars',
        label: 'nav.registrars',
        icon: IconReceipt2,
        key: 'r',
        quickAdd: { id: 'registrar', label: 'quick_add.registrar' },
      },
      { to: '/profiles', label: 'nav.profiles', icon: IconListCheck, key: 'p', quickAdd: { id: 'profile', label: 'quick_add.profile' } },
      { to: '/addresses', label: 'nav.addresses', icon: IconServer2, key: 'i' },
      { to: '/operations', label: 'nav.operations', icon: IconStack2, key: 'o' },
      { to: '/monitoring', label: 'nav.monitoring', icon: IconHeartRateMonitor, key: 'm' },
      { to: '/trackers', label: 'nav.trackers', icon: IconTargetArrow, key: 'k' },
    ],
  },
  {
    id: 'actions',
    items: [{ to: '/register-domains', label: 'nav.register_domains', icon: IconShoppingCart, key: 'b' }],
  },
  {
    id: 'system',
    items: [
      { to: '/activity-logs', label: 'nav.activity', icon: IconHistory, key: 'l' },
      { to: '/settings', label: 'nav.settings', icon: IconSettings, key: 's' },
      { to: '/users', label: 'nav.users', icon: IconUsers, key: 'u', adminOnly: true },
    ],
  },
]

/** The entries visible to this role, without empty groups. */
export const navigationFor = (role: Role): readonly NavigationGroup[] =>
  navigation
    .map((group) => ({ ...group, items: group.items.filter((item) => !item.adminOnly || role === 'admin') }))
    .filter((group) => group.items.length > 0)
