import { IconCode } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Switch } from '#client/ui/form/switch.tsx'
import { renewZone, showZone } from './queries.ts'
import classes from './quick-actions.module.css'

/** Switches development mode immediately and counts down the remaining time (R-DET-05). */
export function DevelopmentMode({ zone, disabled }: { zone: DomainDetails; disabled: boolean }) {
  const { t } = useTranslation('zone')
  const { id } = zone
  const change = trpc.zoneSettings.setDevelopmentMode.useMutation({
    meta: { failure: t('failed.development') },
    // Changes run one after another, so a click during a pending one counts too.
    scope: { id: `development-${id}` },
    onSuccess: ({ settings: { developmentMode, developmentModeEndsAt } }) => {
      showZone(id, { developmentMode, developmentModeEndsAt })
      void renewZone()
    },
  })
  const on = change.isPending ? change.variables.enabled : zone.developmentMode > 0
  return (
    <div className={classes['switched']} data-off={disabled || undefined}>
      <IconCode size={16} stroke={1.7} aria-hidden />
      <span className="column grow shrink">
        <span id="zone-development">{t('actions.development')}</span>
        <span id="zone-development-help" className="size-12 line-16 muted">
          {!on ? (
            t('actions.development_help')
          ) : zone.developmentModeEndsAt === null || change.isPending ? (
            t('actions.development_on')
          ) : (
            <Countdown endsAt={zone.developmentModeEndsAt} />
          )}
        </span>
      </span>
      <Switch
        on={on}
        labelledBy="zone-development"
        describedBy="zone-development-help"
        disabled={disabled}
        onChange={(enabled) => change.mutate({ id, enabled })}
      />
    </div>
  )
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

function Countdown({ endsAt }: { endsAt: string }) {
  const { t } = useTranslation('zone')
  const endMs = new Date(endsAt).getTime()
  const [left, setLeft] = useState(() => Math.max(0, Math.ceil((endMs - Date.now()) / 1000)))
  const ended = left === 0
  useEffect(() => {
    const tick = (): void => setLeft(Math.max(0, Math.ceil((endMs - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [endMs])
  useEffect(() => {
    if (ended) void renewZone()
  }, [ended])
  return (
    <span role="timer">
      {t('actions.development_left', {
        time: `${Math.floor(left / 3600)}:${twoDigits(Math.floor(left / 60) % 60)}:${twoDigits(left % 60)}`,
      })}
    </span>
  )
}
