import { useTranslation } from 'react-i18next'
import { formatDate } from '#client/lib/format.ts'
import { StatusDot, type Tone } from '#client/ui/display/state-badge.tsx'
import classes from './registrars.module.css'

const soonMs = 30 * 86_400_000

const toneOf = (expiresAt: string | null): Tone => {
  if (expiresAt === null) return 'idle'
  const leftMs = new Date(expiresAt).getTime() - Date.now()
  return leftMs <= 0 ? 'bad' : leftMs <= soonMs ? 'warn' : 'good'
}

/** The expiry date of a name. */
export function ExpiryMark({ expiresAt }: { expiresAt: string | null }) {
  const { t } = useTranslation('registrars')
  return (
    <span className={`row gap-6 fixed numeric ${classes['nameEnd']}`} title={expiresAt === null ? undefined : t('names.expires')}>
      <StatusDot tone={toneOf(expiresAt)} />
      {expiresAt === null ? t('names.unknown') : formatDate(expiresAt)}
    </span>
  )
}
