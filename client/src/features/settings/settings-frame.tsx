import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PanelSettings } from '#shared/features/settings/schema.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { usePanelSettings } from './queries.ts'
import classes from './settings.module.css'

/** Waits for the settings and shows an error if they fail to load. */
export function SettingsFrame({ children }: { children: (settings: PanelSettings, change: Change) => ReactNode }) {
  const { t } = useTranslation('settings')
  const { query, settings, change } = usePanelSettings()
  if (settings !== undefined) return children(settings, change)
  if (query.isError) return <ErrorState title={t('failed.load')} error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className={`column gap-28 ${classes['wait']}`} role="status" aria-busy>
      <span className="sr-only">{t('loading')}</span>
      {[30, 55, 40].map((width) => (
        <Skeleton key={width} width={`${width}%`} height={14} />
      ))}
    </div>
  )
}

export type Change = ReturnType<typeof usePanelSettings>['change']
