import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { findUnreachable, Unreachable } from '#client/features/accounts/index.ts'
import { RegistrationNotice, useRegistrationUndecided } from '#client/features/auth/index.ts'
import { readAgain, useLiveQueries } from '#client/lib/live-queries.ts'
import { counted } from '#client/lib/format.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CopyButton } from '#client/ui/display/copy-button.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import classes from './welcome.module.css'

const demo = 'npm run demo'

/** The guided start in three steps, each ticked off automatically. */
export function WelcomePage() {
  const { t } = useTranslation('welcome')
  const accounts = trpc.accounts.list.useQuery({})
  const summary = trpc.domains.summary.useQuery({ filter: {} })
  const undecided = useRegistrationUndecided()
  const channels = trpc.alerts.listChannels.useQuery({})
  useLiveQueries('welcome')

  const failed = [accounts, summary, channels].find((query) => query.isError && query.data === undefined)
  if (failed !== undefined) {
    return (
      <>
        <PageHeader title={t('title')} />
        <ErrorState title={t('failed')} error={failed.error} onRetry={() => void readAgain('welcome')} />
      </>
    )
  }
  if (accounts.data === undefined || summary.data === undefined || channels.data === undefined || undecided === undefined) {
    return (
      <>
        <PageHeader title={t('title')} />
        <div className={`column gap-8 ${classes['steps']}`} role="status" aria-busy>
          <span className="sr-only">{t('loading')}</span>
          {[1, 2, 3].map((step) => (
            <div key={step} className={`grid middle border radius-8 on-raised ${classes['step']}`}>
              <Skeleton width="40%" height={16} />
              <Skeleton width="75%" height={14} />
            </div>
          ))}
        </div>
      </>
    )
  }

  const added = accounts.data.accounts.length
  const unreachable = findUnreachable(accounts.data.accounts)
  const { total } = summary.data.tiles
  const reading = summary.data.freshness.syncing > 0
  const hasChannel = channels.data.channels.some(({ enabled, failure }) => enabled && failure === null)
  const done = [added > 0 && unreachable === undefined, total > 0, hasChannel]
  const next = done.indexOf(false)
  return (
    <>
      <PageHeader
        title={t('title')}
        meta={next === -1 ? t('all_done') : t('progress', { done: done.filter(Boolean).length, of: done.length })}
      />
      <RegistrationNotice />
      {unreachable === undefined ? null : <Unreachable account={unreachable} as="notice" />}
      <ol className={`column gap-8 ${classes['steps']}`}>
        <Step
          number={1}
          done={done[0] === true}
          current={next === 0}
          title={t('account.title')}
          text={added > 0 ? t('account.done', counted(added)) : t('account.text')}
        >
          <Button variant={next === 0 ? 'filled' : 'default'} onClick={() => quickAdd.set('account')}>
            {t(added > 0 ? 'account.another' : 'account.action')}
          </Button>
        </Step>
        <Step
          number={2}
          done={total > 0}
          current={next === 1}
          title={t('domains.title')}
          text={
            total > 0
              ? t('domains.done', counted(total))
              : t(added === 0 || unreachable !== undefined ? 'domains.text' : reading ? 'domains.reading' : 'domains.none')
          }
        >
          <Button
            variant={next === 1 && total > 0 ? 'filled' : 'default'}
            disabled={total === 0}
            renderRoot={(props) => <Link to="/domains" {...props} />}
          >
            {t('domains.action')}
          </Button>
        </Step>
        <Step
          number={3}
          done={hasChannel}
          current={next === 2}
          title={t('alerts.title')}
          text={t(hasChannel ? 'alerts.done' : 'alerts.text')}
        >
          <Button
            variant={next === 2 ? 'filled' : 'default'}
            renderRoot={(props) => <Link to="/settings" search={{ tab: 'monitoring' }} {...props} />}
          >
            {t(hasChannel ? 'alerts.open' : 'alerts.action')}
          </Button>
        </Step>
      </ol>
      <section className={classes['sample']} aria-label={t('sample.title')}>
        <h2>{t('sample.title')}</h2>
        <p>{t('sample.text')}</p>
        <p className="row gap-4 code">
          <code>{demo}</code>
          <CopyButton text={demo} />
        </p>
      </section>
    </>
  )
}

function Step({
  number,
  done,
  current,
  title,
  text,
  children,
}: {
  number: number
  done: boolean
  current: boolean
  title: string
  text: string
  children: ReactNode
}) {
  const { t } = useTranslation('welcome')
  return (
    <li
      className={`grid middle border radius-8 on-raised ${classes['step']}`}
      data-current={current || undefined}
      aria-current={current ? 'step' : undefined}
    >
      <span className={`grid secondary numeric border-strong ${classes['number']}`} data-done={done || undefined}>
        {done ? <IconCheck size={15} stroke={2.4} aria-hidden /> : <span aria-hidden>{number}</span>}
        <span className="sr-only">{t(done ? 'step_done' : 'step_open')}</span>
      </span>
      <div className={classes['words']}>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <div className={classes['action']}>{children}</div>
    </li>
  )
}
