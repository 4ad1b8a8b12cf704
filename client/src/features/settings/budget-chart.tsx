import { useTranslation } from 'react-i18next'
import type { SystemState } from '#shared/features/settings/schema.ts'
import { counted, formatDuration, formatNumber, formatShare, formatTime } from '#client/lib/format.ts'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { listBars, shareOf, toneOf, type BudgetBar } from './budgets.ts'
import classes from './budget-chart.module.css'

const shownAtMost = 12

/** The remaining rate limit of each account; the lowest first. */
export function BudgetChart({ accounts, budgets }: Pick<SystemState, 'accounts' | 'budgets'>) {
  const { t } = useTranslation('settings')
  const bars = listBars(accounts, budgets)
  const [first] = bars
  const rest = bars.slice(shownAtMost)
  const most = rest[0]
  if (first === undefined) return null
  return (
    <section aria-labelledby="settings-budgets">
      <h2 id="settings-budgets">{t('budget.title')}</h2>
      <p className={classes['text']}>
        {t('budget.text', { limit: formatNumber(first.limit), window: formatDuration(first.windowSeconds, true) })}
      </p>
      <ul className={`grid size-13 line-18 ${classes['bars']}`}>
        {bars.slice(0, shownAtMost).map((bar) => (
          <Bar key={bar.accounts[0]?.id} bar={bar} />
        ))}
      </ul>
      {most === undefined ? null : (
        <p className={classes['rest']}>
          {t('budget.rest', { count: rest.length, formatted: formatNumber(rest.length), share: formatShare(shareOf(most)) })}
        </p>
      )}
    </section>
  )
}

function Bar({ bar }: { bar: BudgetBar }) {
  const { t } = useTranslation(['settings', 'common'])
  const [first, ...others] = bar.accounts
  const tone = toneOf(bar)
  const names = bar.accounts.map(({ email }) => email).join('\n')
  return (
    <li className={`grid middle ${classes['bar']}`}>
      <span className={`flex gap-6 baseline clip nowrap ${classes['who']}`} title={names}>
        <bdi>{first?.name || first?.email}</bdi>
        {others.length === 0 ? null : <small className="fixed size-12 muted">{t('common:and_more', counted(others.length))}</small>}
      </span>
      <span className={classes['track']} aria-hidden>
        <span className={`block fill ${classes['fill']}`} data-tone={tone} style={{ transform: `scaleX(${shareOf(bar)})` }} />
      </span>
      <span className={`row gap-6 end secondary nowrap ${classes['value']}`}>
        {bar.blockedUntil === null ? (
          <>
            {tone === 'warn' ? <StatusDot tone="warn" label={t('budget.nearly')} /> : null}
            {t('budget.used', { used: formatNumber(bar.used), limit: formatNumber(bar.limit) })}
          </>
        ) : (
          <>
            <StatusDot tone="bad" />
            {t('budget.blocked', { time: formatTime(bar.blockedUntil) })}
          </>
        )}
      </span>
    </li>
  )
}
