import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { counted, formatNumber } from '#client/lib/format.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { nextPaint } from '#client/lib/next-paint.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { PopoverButton } from '#client/ui/overlay/popup-button.tsx'
import { browserNotifications } from './browser-notifications.ts'
import classes from './notifications.module.css'

const texts = ['notifications', 'monitoring', 'reasons', 'operations', 'security'] as const
const NotificationList = lazyPart(async () => (await import('./notification-list.tsx')).NotificationList, ...texts)
const BrowserNotifier = lazyPart(async () => (await import('./browser-notifier.tsx')).BrowserNotifier, ...texts)

/** How many notifications are unread, and their list. */
export function NotificationBell() {
  const { t } = useTranslation('shell')
  const [isWanted, setIsWanted] = useState(false)
  // What the page shows comes first.
  useEffect(() => void nextPaint().then(() => setIsWanted(true)), [])
  useLiveQueries('notifications', isWanted)
  const permission = browserNotifications.use()
  const list = trpc.notifications.list.useQuery(undefined, { enabled: isWanted })
  const unread = list.data?.unread ?? 0
  const label = unread === 0 ? t('notifications.none') : t('notifications.unread', counted(unread))
  return (
    <>
      <PopoverButton
        position="bottom-end"
        width={360}
        padding={0}
        label={t('notifications.title')}
        button={
          <ActionIcon size={36} aria-label={label} title={label} className={classes['bell'] ?? ''}>
            <IconBell size={17} stroke={1.7} />
            {unread === 0 ? null : (
              <span className={classes['count']} aria-hidden>
                {unread > 9 ? `${formatNumber(9)}+` : formatNumber(unread)}
              </span>
            )}
          </ActionIcon>
        }
      >
        {(close) => (
          <Suspense fallback={<div className={classes['loading']} aria-busy />}>
            <NotificationList onOpen={close} />
          </Suspense>
        )}
      </PopoverButton>
      {list.data !== undefined && permission === 'granted' ? (
        <ErrorBoundary>
          <Suspense>
            <BrowserNotifier notifications={list.data.notifications} />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </>
  )
}
