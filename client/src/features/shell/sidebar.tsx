import { ActionIcon } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconPlus, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { auth } from '#client/lib/auth.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { Mark } from '#client/ui/display/mark.tsx'
import { ApiIndicator } from './api-indicator.tsx'
import { navigationFor, type NavigationItem } from './navigation.ts'
import { setSidebarOpen, sidebar, toggleCollapsed } from './sidebar-state.ts'
import classes from './sidebar.module.css'

export function Sidebar() {
  const { t } = useTranslation(['shell', 'common'])
  const { collapsed, open } = sidebar.use()
  const role = auth.use().user?.role ?? 'user'

  return (
    <aside
      id="sidebar"
      className={`column shrink clip on-sunken ${classes['sidebar']}`}
      data-collapsed={collapsed || undefined}
      data-open={open || undefined}
    >
      <div className={`row between ${classes['brand']}`}>
        <Link to="/domains" className="row gap-10 shrink radius-s" aria-label={t('common:product')}>
          <Mark className={classes['mark']} />
          <span className={classes['word']}>{t('common:product')}</span>
        </Link>
        <ActionIcon
          className={classes['collapse'] ?? ''}
          aria-label={t(collapsed ? 'sidebar.expand' : 'sidebar.collapse')}
          aria-expanded={!collapsed}
          aria-controls="sidebar"
          onClick={toggleCollapsed}
        >
          {collapsed ? <IconLayoutSidebarLeftExpand size={16} stroke={1.7} /> : <IconLayoutSidebarLeftCollapse size={16} stroke={1.7} />}
        </ActionIcon>
        <ActionIcon className={classes['dismiss'] ?? ''} aria-label={t('sidebar.close')} onClick={() => setSidebarOpen(false)}>
          <IconX size={16} />
        </ActionIcon>
      </div>
      <nav className={`grow scroll-y ${classes['nav']}`} aria-label={t('nav.label')}>
        {navigationFor(role).map((group) => (
          <section key={group.id} className={classes['group']}>
            <h2 className={`size-12 line-16 medium muted ${classes['groupName']}`}>
              <span>{t(`nav.${group.id}`)}</span>
            </h2>
            <ul>
              {group.items.map((item) => (
                <Item key={item.to} item={item} collapsed={collapsed} />
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <footer className={classes['footer']}>
        <ApiIndicator />
        <p className={`size-12 muted nowrap ${classes['copyright']}`}>{t('common:copyright', { year: new Date().getFullYear() })}</p>
      </footer>
    </aside>
  )
}

function Item({ item, collapsed }: { item: NavigationItem; collapsed: boolean }) {
  const { t } = useTranslation('shell')
  const add = item.quickAdd
  const label = t(item.label)
  return (
    <li className={`relative ${classes['item']}`}>
      <Link
        to={item.to}
        className={`focus-inside ${classes['link']}`}
        activeProps={{ 'data-active': true }}
        title={collapsed ? label : undefined}
      >
        <item.icon size={16} stroke={1.7} />
        <span className={classes['label']}>{label}</span>
      </Link>
      {add ? (
        <ActionIcon
          size={22}
          className={classes['add'] ?? ''}
          aria-label={t(`quick_add.${add}`)}
          title={t(`quick_add.${add}`)}
          onClick={() => quickAdd.set(add)}
        >
          <IconPlus size={14} stroke={2} />
        </ActionIcon>
      ) : null}
    </li>
  )
}
