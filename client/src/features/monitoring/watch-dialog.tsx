import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { counted, formatDuration } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { muteSpans, pauseSpans, useWatching } from './mutations.ts'
import classes from './monitoring.module.css'

type Act = (ids: string[], done: () => void) => void

/** Checks many domains now, mutes or pauses them; the view is updated immediately. */
export function WatchDialog({
  count,
  idsOf,
  onDone,
  onClose,
}: {
  count: number
  idsOf: () => Promise<string[]>
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('monitoring')
  const { check, pause, mute, busy } = useWatching()
  const [collecting, setCollecting] = useState(false)
  const run = (act: Act) => () => {
    setCollecting(true)
    idsOf()
      .then((ids) => act(ids, onDone))
      .catch((error: unknown) => toast.failure(error, t('failed.act')))
      .finally(() => setCollecting(false))
  }
  const button = (label: string, act: Act) => (
    <Button key={label} variant="default" size="xs" disabled={busy || collecting} onClick={run(act)}>
      {label}
    </Button>
  )
  return (
    <Dialog onClose={onClose} title={t('bulk.title', counted(count))} size={460}>
      <div className="column gap-16">
        <div className="flex wrap gap-8">{button(t('actions.check'), check)}</div>
        <fieldset className={`flex wrap gap-8 ${classes['acts']}`}>
          <legend className="size-12 secondary">{t('actions.mute_for')}</legend>
          {muteSpans.map((minutes) => button(formatDuration(minutes * 60, true), (ids, done) => mute(ids, minutes, done)))}
          {button(t('actions.unmute'), (ids, done) => mute(ids, null, done))}
        </fieldset>
        <fieldset className={`flex wrap gap-8 ${classes['acts']}`}>
          <legend className="size-12 secondary">{t('actions.pause_for')}</legend>
          {pauseSpans.map((minutes) => button(formatDuration(minutes * 60, true), (ids, done) => pause(ids, minutes, done)))}
          {button(t('actions.pause_forever'), (ids, done) => pause(ids, 'forever', done))}
          {button(t('actions.resume'), (ids, done) => pause(ids, null, done))}
        </fieldset>
      </div>
    </Dialog>
  )
}
