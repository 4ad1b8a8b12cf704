import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Notification } from '#shared/features/notifications/schema.ts'
import { counted } from '#client/lib/format.ts'
import { showInBrowser } from './browser-notifications.ts'
import { linkOf } from './link-of.ts'
import { NotificationWords, type WordsOf } from './notification-words.tsx'

/** More of them are one notification of the browser. */
const mostSingle = 3

/** Shows what happens from now on as notifications of the browser, while the panel is not in front. */
export const BrowserNotifier = ({ notifications }: { notifications: readonly Notification[] }) => (
  <NotificationWords>{(words) => <Notifier notifications={notifications} words={words} />}</NotificationWords>
)

function Notifier({ notifications, words }: { notifications: readonly Notification[]; words: WordsOf }) {
  const { t } = useTranslation('notifications')
  const navigate = useNavigate()
  const seen = useRef<Set<string>>(null)
  useEffect(() => {
    const known = seen.current
    seen.current = new Set([...(known ?? []), ...notifications.map(({ id }) => id)])
    if (known === null || document.hasFocus()) return
    const fresh = notifications.filter(({ id, isRead }) => !isRead && !known.has(id))
    const [newest] = fresh
    if (newest === undefined) return
    if (fresh.length > mostSingle) {
      showInBrowser({ title: t('browser.many', counted(fresh.length)), body: words(newest).title, tag: newest.id, onOpen: () => undefined })
      return
    }
    for (const each of fresh) {
      const { title, text } = words(each)
      showInBrowser({ title, body: text, tag: each.id, onOpen: () => void navigate(linkOf(each)) })
    }
  }, [notifications, navigate, t, words])
  return null
}
