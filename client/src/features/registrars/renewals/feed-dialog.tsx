import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CopyText } from '#client/ui/display/copy-button.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'

/** The URL of the calendar of expiry dates; anyone with the URL can read it. */
export function FeedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['registrars', 'common'])
  const utils = trpc.useUtils()
  const feed = trpc.registrars.calendarFeed.useQuery()
  const [address, setAddress] = useState<string | null>(null)
  const create = trpc.registrars.createCalendarFeed.useMutation({
    gcTime: 0,
    meta: { failure: t('feed.failed') },
    onSuccess: async ({ path }) => {
      setAddress(new URL(path, window.location.origin).href)
      await utils.registrars.calendarFeed.invalidate()
    },
  })
  const remove = trpc.registrars.removeCalendarFeed.useMutation({
    meta: { failure: t('feed.failed') },
    onSuccess: async () => {
      setAddress(null)
      await utils.registrars.calendarFeed.invalidate()
    },
  })
  const createdAt = feed.data?.createdAt ?? null
  return (
    <Dialog onClose={onClose} title={t('feed.title')} size={520}>
      <div className="column gap-16">
        <p className="size-13 secondary">{t('feed.text')}</p>
        {address === null ? null : (
          <>
            <div className="framed size-12 anywhere on-sunken p-8-10">
              <CopyText text={address} />
            </div>
            <p className="size-13 secondary">{t('feed.once')}</p>
          </>
        )}
        {address === null && createdAt !== null ? (
          <p className="size-13 secondary">{t('feed.there', { when: formatDateTime(createdAt) })}</p>
        ) : null}
        <div className="flex wrap gap-8 end">
          {createdAt === null ? null : (
            <Button variant="default" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {t('feed.remove')}
            </Button>
          )}
          <Button loading={create.isPending} disabled={feed.isPending} onClick={() => create.mutate()}>
            {t(createdAt === null ? 'feed.create' : 'feed.replace')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
