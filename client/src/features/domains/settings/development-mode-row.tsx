import { useTranslation } from 'react-i18next'
import { useNow } from '#client/lib/format.ts'
import { Switch } from '#client/ui/form/switch.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './mutations.ts'
import type { ZoneSettings } from './queries.ts'

/** Development mode with the time until it ends automatically. */
export function DevelopmentModeRow({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  const name = t('development.name')
  const { value, locked, question, change } = useSetting(zone, 'developmentMode', {
    name,
    failure: t('development.failed'),
    wordsOf: (on) => t(on ? 'on' : 'off'),
  })
  const end = zone.settings.developmentModeEndsAt
  const endsAt = end === null ? null : Date.parse(end)
  return (
    <SettingRow name={name} help={t('development.help')} place="switch" locked={locked} question={question}>
      {(ids) => <Control {...ids} on={value === true} endsAt={endsAt} disabled={locked !== null} onChange={change} />}
    </SettingRow>
  )
}

function Control({
  on,
  endsAt,
  ...rest
}: {
  on: boolean
  endsAt: number | null
  labelledBy: string
  describedBy: string
  disabled: boolean
  onChange: (on: boolean) => void
}) {
  const { t } = useTranslation('security')
  const now = useNow(1000)
  // It ends at the provider automatically, whether or not the panel has read that.
  const running = on && (endsAt === null || endsAt > now)
  return (
    <>
      <Switch {...rest} on={running} />
      {running && endsAt !== null ? (
        <small role="timer">{t('development.left', { time: clockOf(Math.ceil((endsAt - now) / 1000)) })}</small>
      ) : null}
    </>
  )
}

const two = (value: number): string => String(value).padStart(2, '0')

/** 2:59:07 */
function clockOf(seconds: number): string {
  const left = Math.max(0, seconds)
  return `${Math.floor(left / 3600)}:${two(Math.floor((left % 3600) / 60))}:${two(left % 60)}`
}
