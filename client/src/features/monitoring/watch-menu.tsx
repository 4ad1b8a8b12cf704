import { useTranslation } from 'react-i18next'
import { formatDuration } from '#client/lib/format.ts'
import type { MenuParts } from '#client/ui/overlay/opened-popups.tsx'
import { muteSpans, pauseSpans, useWatching } from './mutations.ts'

/** Menu items of a domain to mute, unmute, pause and resume. */
export function WatchItems({ menu: Menu, id, muted, paused }: { menu: MenuParts; id: string; muted: boolean; paused: boolean }) {
  const { t } = useTranslation('monitoring')
  const { pause, mute } = useWatching()
  return (
    <>
      <Menu.Label>{t('actions.mute_for')}</Menu.Label>
      {muteSpans.map((minutes) => (
        <Menu.Item key={minutes} onClick={() => mute([id], minutes)}>
          {formatDuration(minutes * 60, true)}
        </Menu.Item>
      ))}
      {muted ? <Menu.Item onClick={() => mute([id], null)}>{t('actions.unmute')}</Menu.Item> : null}
      <Menu.Label>{t('actions.pause_for')}</Menu.Label>
      {pauseSpans.map((minutes) => (
        <Menu.Item key={minutes} onClick={() => pause([id], minutes)}>
          {formatDuration(minutes * 60, true)}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => pause([id], 'forever')}>{t('actions.pause_forever')}</Menu.Item>
      {paused ? <Menu.Item onClick={() => pause([id], null)}>{t('actions.resume')}</Menu.Item> : null}
    </>
  )
}
