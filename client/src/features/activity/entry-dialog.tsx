import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Entry } from './search.ts'
import { Actor, Owner } from './use-activity-columns.tsx'
import { actionTones, type ActivityWords } from './use-activity-words.ts'
import tables from '#client/ui/table/plain-table.module.css'
import classes from './activity.module.css'

/** A complete entry with before and after side by side. */
export function EntryDialog({ entry, words, onClose }: { entry: Entry; words: ActivityWords; onClose: () => void }) {
  const { t } = useTranslation(['activity', 'common'])
  // Long details are not part of the list.
  const whole = trpc.activity.get.useQuery({ id: entry.id }, { enabled: entry.details === null })
  const details = words.details(whole.data?.activityLog ?? entry)
  const hasChanges = details.some(({ from }) => from !== null)
  const facts: [string, ReactNode][] = [
    [t('dialog.time'), formatDateTime(entry.createdAt)],
    [t('dialog.who'), <Actor key="who" entry={entry} words={words} />],
    [t('dialog.how'), words.kind(entry.actor.kind)],
    ...(entry.actor.token === null ? [] : [[t('dialog.token'), entry.actor.token] satisfies [string, ReactNode]]),
    ...(entry.owner === null ? [] : [[t('dialog.owner'), <Owner key="owner" entry={entry} words={words} />] satisfies [string, ReactNode]]),
    ...(entry.address === null
      ? []
      : [
          [
            t('dialog.address'),
            <span key="address" className="mono">
              {entry.address}
            </span>,
          ] satisfies [string, ReactNode],
        ]),
    [
      t('dialog.id'),
      <span key="id" className="mono">
        {entry.id}
      </span>,
    ],
  ]
  return (
    <Dialog
      onClose={onClose}
      size={640}
      title={
        <span className={`row wrap anywhere ${classes['dialogTitle']}`}>
          <StateBadge tone={actionTones[entry.action]} label={words.action(entry.action)} />
          <bdi className={entry.entityType === 'zone' ? 'mono' : undefined}>{words.what(entry)}</bdi>
        </span>
      }
    >
      <div className={`column gap-14 ${classes['dialog']}`}>
        <dl className={`grid size-13 ${classes['facts']}`}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt className="size-12 muted">{label}</dt>
              <dd className="shrink anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        {whole.error !== null ? (
          <ErrorState error={whole.error} onRetry={() => void whole.refetch()} />
        ) : whole.isLoading ? (
          <Skeleton width="100%" height={96} />
        ) : details.length === 0 ? (
          <p className={`size-12 secondary ${classes['quiet']}`}>{t('dialog.nothing')}</p>
        ) : (
          <div className={`framed scroll ${classes['scroll']}`}>
            <table className={`anywhere ${tables['table']} ${classes['diff']}`}>
              <thead>
                <tr>
                  <th scope="col">{t('dialog.field')}</th>
                  {hasChanges ? (
                    <>
                      <th scope="col">{t('dialog.was')}</th>
                      <th scope="col">{t('dialog.became')}</th>
                    </>
                  ) : (
                    <th scope="col">{t('dialog.value')}</th>
                  )}
                </tr>
              </thead>
              <tbody>
                {details.map(({ label, from, to }, index) => (
                  <tr key={index}>
                    <th scope="row">{label}</th>
                    {from === null ? null : <td>{from}</td>}
                    <td colSpan={from === null && hasChanges ? 2 : 1}>{to}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <div className="flex wrap gap-8 end">
          {entry.operation === null ? null : (
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/operations/$id" params={{ id: entry.operation?.id ?? '' }} {...props} />}
            >
              {t('dialog.operation')}
            </Button>
          )}
          {entry.zoneId === null ? null : (
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/domains/$id/history" params={{ id: entry.zoneId ?? '' }} {...props} />}
            >
              {t('dialog.history')}
            </Button>
          )}
          <Button onClick={onClose}>{t('common:close')}</Button>
        </div>
      </div>
    </Dialog>
  )
}
