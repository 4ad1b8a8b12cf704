import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { companyOf } from '#shared/features/registrars/rules.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { messageOf, providerWords } from '#client/lib/errors.ts'
import { counted, formatMoney, formatNumber } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { Progress } from '#client/ui/chart/progress.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { askAgain, type Check } from './check-store.ts'
import classes from './buying.module.css'

/** The progress of each registrar, with the reason if it failed and a retry. */
export function CheckProgress({ asked, registrars }: { asked: Check; registrars: readonly Registrar[] }) {
  const { t } = useTranslation('buying')
  return (
    <ul className={`grid gap-8 fixed ${classes['progress']}`} aria-label={t('progress.label')}>
      {registrars.map((registrar) => {
        const { id, name } = registrar
        const each = asked.byRegistrar.get(id)
        if (each === undefined) return null
        const offers = [...each.offers.values()]
        const open = offers.filter(({ state }) => state === 'available').length
        const unsure = offers.filter(({ state }) => state === 'unknown').length
        const again = each.state === 'failed' || (each.state === 'done' && unsure > 0)
        return (
          <li key={id}>
            <div className={classes['progressHead']}>
              <bdi className="cut medium" title={name === companyOf(registrar) ? name : `${name} · ${companyOf(registrar)}`}>
                {name}
              </bdi>
              <span className={classes['quiet']}>{each.balance === null ? null : formatMoney(each.balance)}</span>
            </div>
            {each.state === 'running' ? (
              <Progress label={t('progress.of', { registrar: name })} value={offers.length} total={asked.names.length} />
            ) : null}
            <div className={classes['progressFoot']} data-failed={each.state === 'failed' || undefined} role="status">
              {each.state === 'running' ? (
                <span className={classes['quiet']}>
                  {t('progress.done', { done: formatNumber(offers.length), total: formatNumber(asked.names.length) })}
                </span>
              ) : each.state === 'failed' ? (
                <span className={`shrink size-12 bad ${classes['failure']}`}>
                  {sentences(messageOf(each.error), providerWords(each.error))}
                </span>
              ) : (
                <StateBadge
                  quiet
                  tone={open > 0 ? 'good' : 'idle'}
                  label={[t('progress.open', counted(open)), unsure === 0 ? null : t('progress.unsure', counted(unsure))]
                    .filter((part) => part !== null)
                    .join(' · ')}
                />
              )}
              {again ? (
                <Button
                  variant="subtle"
                  size="compact-xs"
                  aria-label={t('progress.again_at', { registrar: name })}
                  leftSection={<IconRefresh size={13} stroke={1.8} aria-hidden />}
                  onClick={() => askAgain(registrar)}
                >
                  {t('progress.again')}
                </Button>
              ) : null}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
