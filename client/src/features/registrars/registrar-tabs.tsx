import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TabBar } from '#client/ui/layout/tab-bar.tsx'
import tabs from '#client/ui/layout/tabs.module.css'

const own = { className: tabs['tab'] ?? '', activeProps: { 'aria-current': 'page' as const } }

/** The tabs of the registrar pages. */
export function RegistrarTabs() {
  const { t } = useTranslation('registrars')
  return (
    <TabBar label={t('tabs.label')} className="mb-16">
      <Link to="/registrars" {...own} activeOptions={{ exact: true, includeSearch: false }}>
        {t('tabs.all')}
      </Link>
      <Link to="/registrars/unbound" {...own}>
        {t('tabs.unbound')}
      </Link>
      <Link to="/registrars/name-servers" {...own}>
        {t('tabs.name_servers')}
      </Link>
      <Link to="/registrars/renewals" {...own}>
        {t('tabs.renewals')}
      </Link>
    </TabBar>
  )
}
