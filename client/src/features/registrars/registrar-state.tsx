import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { formatDateTime } from '#client/lib/format.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import type { RegistrarCompany, RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import classes from './registrars.module.css'

const tones = { working: 'good', auth_error: 'bad', api_error: 'warn', unknown: 'idle' } as const satisfies Record<
  Registrar['health'],
  Tone
>

/** Whether the registrar works, or that it is managed manually. */
export function RegistrarState({ registrar }: { registrar: Registrar }) {
  const { t } = useTranslation('registrars')
  const { type, health, healthMessage, checkedAt, sync } = registrar
  if (type === 'MANUAL') return <StateBadge quiet tone="idle" label={t('type.MANUAL')} />
  if (sync.state === 'running' || (sync.state === 'queued' && health === 'unknown'))
    return <StateBadge quiet pulse tone="info" label={t('state.reading')} />
  const when = checkedAt === null ? t('state.never') : t('state.checked', { when: formatDateTime(checkedAt) })
  return (
    <span title={[healthMessage, when].filter(Boolean).join('\n')}>
      <StateBadge quiet tone={tones[health]} label={t(`health.${health}`)} />
    </span>
  )
}

const letters: Readonly<Record<RegistrarProvider, string>> = { NAMECHEAP: 'N', GODADDY: 'G', PORKBUN: 'P', REGRU: 'R' }

/** The icon of a company; for another company, the first letter of `name`. */
export function RegistrarMark({ provider, name }: { provider: RegistrarCompany; name: string }) {
  return (
    <span className={classes['mark']} aria-hidden>
      {provider === 'OTHER' ? name.slice(0, 1).toUpperCase() : letters[provider]}
    </span>
  )
}
