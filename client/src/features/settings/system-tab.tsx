import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountState, SystemState } from '#shared/features/settings/schema.ts'
import { counted, formatBytes, formatDuration, formatShare } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DataTable } from '#client/ui/table/data-table.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { AccountFreshness } from './account-freshness.tsx'
import { BudgetChart } from './budget-chart.tsx'
import { shareOf } from './budgets.ts'
import { sortStates, stalestFirst } from './sort-states.ts'
import { useStateColumns } from './use-state-columns.tsx'
import figures from '#client/ui/chart/figures.module.css'
import classes from './settings.module.css'

const everyMs = 10_000

/** The current system state: all of it for administrators, and for users their accounts. */
export function SystemTab() {
  const { t } = useTranslation('settings')
  const system = trpc.settings.system.useQuery(undefined, { staleTime: 0, refetchInterval: everyMs })
  const { data } = system
  if (data === undefined) {
    return system.isError ? (
      <ErrorState title={t('failed.system')} error={system.error} onRetry={() => void system.refetch()} />
    ) : (
      <div className={`column gap-28 ${classes['wait']}`} role="status" aria-busy>
        <span className="sr-only">{t('loading')}</span>
        {[40, 60, 50].map((width) => (
          <Skeleton key={width} width={`${width}%`} height={14} />
        ))}
      </div>
    )
  }
  return (
    <div className={`column ${classes['system']}`}>
      <Facts system={data} />
      {data.accounts.length === 0 ? (
        <p className={classes['none']}>{t('system.no_accounts')}</p>
      ) : (
        <>
          <BudgetChart accounts={data.accounts} budgets={data.budgets} />
          <Accounts accounts={data.accounts} budgets={data.budgets} />
          {data.accountsTotal <= data.accounts.length ? null : (
            <p className={classes['text']}>
              {t('fresh.others', counted(data.accountsTotal - data.accounts.length))} <Link to="/accounts">{t('fresh.all')}</Link>
            </p>
          )}
        </>
      )}
    </div>
  )
}

function Facts({ system: { version, panel } }: { system: SystemState }) {
  const { t } = useTranslation(['settings', 'common'])
  const number = (count: number) => counted(count)
  return (
    <dl className={`${figures['figures']} ${classes['facts']}`} aria-label={t('system.label')}>
      <div>
        <dt>{t('system.version')}</dt>
        <dd>{version}</dd>
      </div>
      {panel === null ? null : (
        <>
          <div>
            <dt>{t('system.database')}</dt>
            <dd>{formatBytes(panel.database.sizeBytes)}</dd>
            <dd>PostgreSQL {panel.database.version.split(' ')[0]}</dd>
          </div>
          <div>
            <dt>{t('system.queue')}</dt>
            <dd>{panel.queue.items === 0 ? t('system.queue_empty') : t('system.queue_items', number(panel.queue.items))}</dd>
            <dd>
              {[
                panel.queue.running > 0 && t('system.running', number(panel.queue.running)),
                panel.queue.waiting > 0 && t('system.waiting', number(panel.queue.waiting)),
                panel.queue.paused > 0 && t('system.paused', number(panel.queue.paused)),
              ]
                .filter((part) => part !== false)
                .join(', ')}
              {panel.queue.since === null ? null : (
                <>
                  {' · '}
                  {t('system.since')} <RelativeTime at={panel.queue.since} />
                </>
              )}
            </dd>
          </div>
          <Backups backups={panel.backups} />
          <Clocks clocks={panel.clocks} />
          <div>
            <dt>{t('system.details')}</dt>
            <dd>{panel.detailsPending === 0 ? t('system.details_done') : t('common:domains', number(panel.detailsPending))}</dd>
            <dd>{panel.detailsPending === 0 ? null : t('system.details_left')}</dd>
          </div>
        </>
      )}
    </dl>
  )
}

function Backups({ backups }: Pick<NonNullable<SystemState['panel']>, 'backups'>) {
  const { t } = useTranslation('settings')
  const written = backups === null ? t('system.backups_off') : t('system.backups_none')
  return (
    <div>
      <dt>{t('system.backups')}</dt>
      <dd>{backups?.writtenAt ? <RelativeTime at={backups.writtenAt} /> : written}</dd>
      {backups?.failure ? (
        <dd>
          {t(`system.backup_failed.${backups.failure.reason}`)} · <RelativeTime at={backups.failure.at} />
        </dd>
      ) : null}
      {backups?.proof ? (
        <dd>
          {t(`system.backup_proof.${backups.proof.result}`)} · <RelativeTime at={backups.proof.at} />
        </dd>
      ) : null}
    </div>
  )
}

/** Rounds to hours, minutes or seconds, depending on the size. */
function roundSkew(seconds: number): number {
  const unit = seconds >= 7200 ? 3600 : seconds >= 120 ? 60 : 1
  return Math.round(seconds / unit) * unit
}

function Clocks({ clocks }: Pick<NonNullable<SystemState['panel']>, 'clocks'>) {
  const { t } = useTranslation('settings')
  return (
    <div>
      <dt>{t('system.clocks')}</dt>
      <dd>{clocks.length === 0 ? t('system.clocks_right') : t('system.clocks_wrong')}</dd>
      {clocks.map(({ host, role, skewMs }) => (
        <dd key={`${host} ${role} ${skewMs}`}>
          {t(skewMs > 0 ? 'system.clock_ahead' : 'system.clock_behind', {
            host,
            role,
            time: formatDuration(roundSkew(Math.abs(skewMs) / 1000)),
          })}
        </dd>
      ))}
    </div>
  )
}

function Accounts({ accounts, budgets }: Pick<SystemState, 'accounts' | 'budgets'>) {
  const { t } = useTranslation('settings')
  const [sort, setSort] = useState(stalestFirst)
  const withOwner = new Set(accounts.map(({ ownerId }) => ownerId)).size > 1
  const columns = useStateColumns(withOwner, budgets)
  const layout = useColumnLayout('settings-accounts', columns)
  const rows = useMemo(() => sortStates(accounts, budgets, sort), [accounts, budgets, sort])
  return (
    <section aria-labelledby="settings-accounts">
      <h2 id="settings-accounts">{t('fresh.title')}</h2>
      <p className={classes['text']}>{t('fresh.text')}</p>
      <div className={`column mt-12 ${classes['table']}`}>
        <DataTable
          label={t('fresh.title')}
          rowCount={rows.length}
          getRow={(index) => rows[index]}
          getRowId={({ id }) => id}
          getRowLabel={({ email }) => email}
          columns={columns}
          layout={layout}
          sort={sort}
          onSort={setSort}
          renderCard={(account: AccountState) => <Card account={account} share={shareOf(budgets[account.budget])} />}
          cardHeight={72}
          empty={null}
        />
      </div>
    </section>
  )
}

function Card({ account, share }: { account: AccountState; share: number }) {
  const { t } = useTranslation('settings')
  return (
    <div className="column gap-8 size-13">
      <bdi className="cut primary">{account.name || account.email}</bdi>
      <span className="row gap-8 between">
        <AccountFreshness account={account} />
        <span className="muted">{t('fresh.calls', { share: formatShare(share) })}</span>
      </span>
    </div>
  )
}
