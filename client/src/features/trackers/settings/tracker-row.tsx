import { Button } from '@mantine/core'
import { IconExternalLink, IconPencil, IconRefresh, IconShare2, IconStar, IconTrash, IconUserMinus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveDialog, ShareDialog, SharedMark, useLock, useSharedWords } from '#client/features/sharing/index.ts'
import type { Tracker, TrackerTest } from '#shared/features/trackers/schema.ts'
import { codeWords } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { PersonName } from '#client/ui/person-name.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { RowMenu } from '#client/ui/row-menu.tsx'
import { StateBadge } from '#client/ui/state-badge.tsx'
import type { Tone } from '#client/ui/status-dot.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { DeleteTrackerDialog } from './delete-tracker-dialog.tsx'
import { DisableTrackerDialog } from './disable-tracker-dialog.tsx'
import { TestResult } from './test-result.tsx'
import { TrackerDialog } from './tracker-dialog.tsx'
import { useTrackerActions, useTrackerTest } from '../mutations.ts'
import tags from '#client/ui/tag.module.css'
import classes from '../trackers.module.css'

type Dialog = 'edit' | 'share' | 'leave' | 'delete' | 'disable'

const connectionTones = { idle: 'idle', works: 'good', fails: 'bad' } as const satisfies Record<string, Tone>

/** What is known of it: by a test that was just made, or else by the last reading. Kept is only that nobody tested it (R-TRK-01). */
function connectionOf({ enabled, sync, connection }: Tracker, test: TrackerTest | undefined): keyof typeof connectionTones {
  if (test !== undefined) return test.ok ? 'works' : 'fails'
  if (!enabled) return connection
  if (sync.errorCode !== null) return 'fails'
  return sync.syncedAt === null ? connection : 'works'
}

/** One tracker: where it is, what is in it, how its last reading went, and a test of its connection (R-TRK-01, R-TRK-02). */
export function TrackerRow({ tracker, owner }: { tracker: Tracker; owner: string | null }) {
  const { t } = useTranslation('trackers')
  const { id, kind, name, url, enabled, isDefault, domainsCount, boundCount, sync, shared, sharedWith } = tracker
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const test = useTrackerTest()
  const actions = useTrackerActions()
  const close = (): void => setDialog(null)
  const lock = useLock(shared)
  const locked = lock('own')
  const off = enabled ? null : t('state.off_hint')
  const connection = connectionOf(tracker, test.isPending ? undefined : test.data?.test)
  const reading = sync.state === 'running' || sync.state === 'queued'
  return (
    <li className="column gap-10 size-13 divided p-12-16">
      <div className="flex gap-12 top shrink">
        <Switch
          on={enabled}
          label={t('enabled_one', { name })}
          disabled={locked !== null}
          onChange={(on) => setDialog(on ? 'edit' : 'disable')}
        />
        <span className="column gap-2 grow shrink">
          <span className={`row wrap medium anywhere ${classes['trackerName']}`}>
            <bdi>{name}</bdi>
            {isDefault ? <span className={tags['tag']}>{t('default')}</span> : null}
            {owner === null ? null : <PersonName label={owner} />}
            <SharedMark shared={shared} sharedWith={sharedWith} brief={owner !== null} />
          </span>
          {url === null ? (
            <span className="muted">{t('state.off')}</span>
          ) : (
            <a className={`muted anywhere hover-accent ${classes['url']}`} href={url} target="_blank" rel="noreferrer noopener">
              {url}
              <IconExternalLink size={12} stroke={1.7} aria-hidden />
            </a>
          )}
        </span>
        <RowMenu
          label={t('actions.label', { name })}
          hint={t('actions.title')}
          note={useSharedWords()(shared)}
          items={[
            { action: 'edit', icon: IconPencil, label: t('actions.edit'), off: lock('manage') },
            { action: 'sync', icon: IconRefresh, label: t('actions.sync'), off: off ?? lock('operate') },
            ...(isDefault ? [] : [{ action: 'default' as const, icon: IconStar, label: t('actions.default'), off: locked }]),
            { action: 'share', icon: IconShare2, label: t('actions.share'), off: locked },
            { action: 'delete', icon: IconTrash, label: t('actions.delete'), off: locked, danger: true },
            ...(shared === null ? [] : [{ action: 'leave' as const, icon: IconUserMinus, label: t('actions.leave'), danger: true }]),
          ]}
          onAction={(action) => {
            if (action === 'sync') actions.sync.mutate({ id })
            else if (action === 'default') actions.update.mutate({ id, isDefault: true })
            else setDialog(action)
          }}
        />
      </div>
      <p className={`row wrap secondary ${classes['facts']}`}>
        <StateBadge quiet tone={connectionTones[connection]} label={t(`connection.${connection}`)} />
        <span>{t('counts.domains', { count: domainsCount, formatted: formatNumber(domainsCount) })}</span>
        <span>{t('counts.bound', { count: boundCount, formatted: formatNumber(boundCount) })}</span>
        {reading ? (
          <StateBadge quiet pulse tone="info" label={t('state.reading')} />
        ) : sync.syncedAt === null ? (
          <span>{t('state.unread')}</span>
        ) : (
          <span>
            {t('state.read')} <RelativeTime at={sync.syncedAt} />
          </span>
        )}
      </p>
      {sync.errorCode === null || !enabled ? null : (
        <p className="warn anywhere pretty" role="status">
          {sentences(t('state.failed'), codeWords(sync.errorCode), sync.errorMessage ?? undefined)}
        </p>
      )}
      {test.data === undefined || test.isPending ? null : <TestResult test={test.data.test} />}
      <div className="flex wrap gap-8">
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          disabled={!enabled || locked !== null}
          title={off ?? locked ?? undefined}
          aria-label={t('test.run_one', { name })}
          onClick={() => test.mutate({ id, kind })}
        >
          {t('test.run')}
        </Button>
        <Button
          variant="subtle"
          size="xs"
          color="gray"
          disabled={lock('manage') !== null}
          title={lock('manage') ?? undefined}
          onClick={() => setDialog('edit')}
          aria-label={t('actions.edit_one', { name })}
        >
          {t('actions.edit')}
        </Button>
      </div>
      {dialog === 'edit' ? (
        <TrackerDialog
          kind={kind}
          tracker={tracker}
          // What was found is no longer of what is kept.
          onSaved={() => test.reset()}
          onClose={close}
        />
      ) : null}
      {dialog === 'share' ? (
        <Suspense>
          <ShareDialog thing={{ trackerId: id }} name={name} domains={0} onClose={close} />
        </Suspense>
      ) : null}
      {dialog === 'leave' && shared !== null ? (
        <Suspense>
          <LeaveDialog thing={{ trackerId: id }} name={name} shared={shared} domains={0} onClose={close} />
        </Suspense>
      ) : null}
      {dialog === 'delete' ? <DeleteTrackerDialog tracker={tracker} onClose={close} /> : null}
      {dialog === 'disable' ? <DisableTrackerDialog tracker={tracker} onClose={close} /> : null}
    </li>
  )
}
