import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '#client/lib/trpc.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { browserNotifications, requestBrowserNotifications } from './browser-notifications.ts'
import { linkOf } from './link-of.ts'
import { NotificationWords } from './notification-words.tsx'
import classes from './notifications.module.css'

/** What happened in the last days; being seen, it is read. */
export function NotificationList({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('notifications')
  const utils = trpc.useUtils()
  const list = trpc.notifications.list.useQuery()
  const permission = browserNotifications.use()
  const read = trpc.notifications.read.useMutation({
    meta: { failure: false },
    onSuccess: (_, { until }) =>
      utils.notifications.list.setData(undefined, (before) => {
        if (before === undefined) return before
        const isUnread = ({ at, isRead }: { at: string; isRead: boolean }) => !isRead && at > until
        return { ...before, unread: before.notifications.filter(isUnread).length }
      }),
  })
  const { mutate } = read
  const until = list.data?.notifications[0]?.at
  const unread = list.data?.unread ?? 0
  useEffect(() => {
    if (until !== undefined && unread > 0) mutate({ until })
  }, [mutate, until, unread])
  if (list.isError && list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <div className={classes['loading']} aria-busy />
  const { notifications } = list.data
  return (
    <div className="column">
      <h2 className={`size-13 semibold line-bottom ${classes['title']}`}>{t('title')}</h2>
      {notifications.length === 0 ? (
        <p className={`secondary size-13 ${classes['none']}`}>{t('none')}</p>
      ) : (
        <ul className={`scroll-y ${classes['list']}`}>
          <NotificationWords>
            {(words) =>
              notifications.map((each) => {
                const { tone, title, text } = words(each)
                return (
                  <li key={`${each.kind} ${each.id}`}>
                    <Link {...linkOf(each)} className={classes['row']} data-unread={!each.isRead || undefined} onClick={onOpen}>
                      <StatusDot tone={tone} />
                      <span className="column gap-2 shrink grow anywhere">
                        <span className="size-13 medium">{title}</span>
                        <span className="size-12 secondary">{text}</span>
                        <span className="size-12 secondary">
                          {each.isRead ? null : `${t('new')} · `}
                          {each.kind === 'incident' && each.endedAt !== null ? `${t('incident.ended')} · ` : null}
                          <RelativeTime at={each.at} />
                        </span>
                      </span>
                    </Link>
                  </li>
                )
              })
            }
          </NotificationWords>
        </ul>
      )}
      <div className={`row gap-8 between size-12 secondary ${classes['foot']}`}>
        <span className="shrink">{t(`browser.${permission}`)}</span>
        {permission === 'default' ? (
          <Button variant="default" size="xs" onClick={() => void requestBrowserNotifications()}>
            {t('browser.turn_on')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
