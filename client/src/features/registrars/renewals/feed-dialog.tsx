import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CopyText } from '#client/ui/copy-button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import forms from '#client/ui/form.module.css'
import classes from './renewals.module.css'

/** The address at which a calendar reads when names end; whoever knows it reads them. */
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
      <div className={forms['form']}>
        <p className={classes['text']}>{t('feed.text')}</p>
        {address === null ? null : (
          <>
            <div className={classes['address']}>
              <CopyText text={address} />
            </div>
            <p className={classes['text']}>{t('feed.once')}</p>
          </>
        )}
        {address === null && createdAt !== null ? (
          <p className={classes['text']}>{t('feed.there', { when: formatDateTime(createdAt) })}</p>
        ) : null}
        <div className={classes['actions']}>
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
