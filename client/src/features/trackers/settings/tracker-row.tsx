import { Button } from '@mantine/core'
import { IconExternalLink, IconPencil, IconRefresh, IconShare2, IconStar, IconTrash, IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tracker, TrackerTest } from '#shared/features/trackers/schema.ts'
import { SharedMark, SharingDialog, useLock, useSharedWords } from '#client/features/sharing/index.ts'
import { codeWords } from '#client/lib/errors.ts'
import { counted } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { RowMenu } from '#client/ui/table/row-menu.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { Switch } from '#client/ui/form/switch.tsx'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import tags from '#client/ui/display/tag.module.css'
import { TestResult } from './test-result.tsx'
import { TrackerDialog } from './tracker-dialog.tsx'
import { useTrackerActions, useTrackerTest } from '../mutations.ts'
import classes from '../trackers.module.css'

type Dialog = 'edit' | 'share' | 'leave' | 'delete' | 'disable'

const connectionTones = { idle: 'idle', works: 'good', fails: 'bad' } as const satisfies Record<string, Tone>

/** The state from a recent test, or else from the last sync. Only `idle` is stored (R-TRK-01). */
function connectionOf({ enabled, sync, connection }: Tracker, test: TrackerTest | undefined): keyof typeof connectionTones {
  if (test !== undefined) return test.ok ? 'works' : 'fails'
  if (!enabled) return connection
  if (sync.errorCode !== null) return 'fails'
  return sync.syncedAt === null ? connection : 'works'
}

/** A tracker with its address, its domains, the last sync, and a connection test (R-TRK-01, R-TRK-02). */
export function TrackerRow({ tracker, owner }: { tracker: Tracker; owner: string | null }) {
  const { t } = useTranslation('trackers')
  const { id, kind, name, url, enabled, isDefault, shared, sharedWith } = tracker
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const test = useTrackerTest()
  const actions = useTrackerActions()
  const lock = useLock(shared)
  const locked = lock('own')
  const off = enabled ? null : t('state.off_hint')
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
      <Facts tracker={tracker} test={test.isPending ? undefined : test.data?.test} />
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
      {dialog === null ? null : (
        // The test result does not apply to the stored tracker any more.
        <Dialogs dialog={dialog} tracker={tracker} onSaved={() => test.reset()} onClose={() => setDialog(null)} />
      )}
    </li>
  )
}

/** Whether it answers, its domains, and the last sync. */
function Facts({ tracker, test }: { tracker: Tracker; test: TrackerTest | undefined }) {
  const { t } = useTranslation('trackers')
  const { enabled, domainsCount, boundCount, sync } = tracker
  const connection = connectionOf(tracker, test)
  const reading = sync.state === 'running' || sync.state === 'queued'
  return (
    <>
      <p className={`row wrap secondary ${classes['facts']}`}>
        <StateBadge quiet tone={connectionTones[connection]} label={t(`connection.${connection}`)} />
        <span>{t('counts.domains', counted(domainsCount))}</span>
        <span>{t('counts.bound', counted(boundCount))}</span>
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
    </>
  )
}

function Dialogs({ dialog, tracker, onSaved, onClose }: { dialog: Dialog; tracker: Tracker; onSaved: () => void; onClose: () => void }) {
  switch (dialog) {
    case 'edit':
      return <TrackerDialog kind={tracker.kind} tracker={tracker} onSaved={onSaved} onClose={onClose} />
    case 'delete':
      return <DeleteTrackerDialog tracker={tracker} onClose={onClose} />
    case 'disable':
      return <DisableTrackerDialog tracker={tracker} onClose={onClose} />
    default:
      return (
        <SharingDialog
          kind={dialog}
          target={{ trackerId: tracker.id }}
          name={tracker.name}
          shared={tracker.shared}
          domains={0}
          onClose={onClose}
        />
      )
  }
}

/** Confirms removing a tracker from the panel; nothing is changed in the tracker. */
function DeleteTrackerDialog({ tracker: { id, name, boundCount }, onClose }: { tracker: Tracker; onClose: () => void }) {
  const { t } = useTranslation('trackers')
  const remove = trpc.trackers.remove.useMutation({ meta: { failure: t('failed.delete') } })
  return (
    <ConfirmDialog
      title={t('delete.title', { name })}
      consequence={<p>{t('delete.text', counted(boundCount))}</p>}
      action={t('delete.confirm')}
      count={1}
      failure={t('failed.delete')}
      onConfirm={async () => {
        await remove.mutateAsync({ id })
        await refresh('trackers')
        toast.success(t('done.deleted'), name)
      }}
      onClose={onClose}
    />
  )
}

/** Confirms switching a tracker off, which clears its address and key (R-TRK-01). */
function DisableTrackerDialog({ tracker: { id, name, boundCount }, onClose }: { tracker: Tracker; onClose: () => void }) {
  const { t } = useTranslation('trackers')
  const { update } = useTrackerActions()
  return (
    <ConfirmDialog
      title={t('disable.title', { name })}
      consequence={<p>{t('disable.text', counted(boundCount))}</p>}
      action={t('disable.confirm')}
      count={1}
      failure={t('failed.save')}
      onConfirm={async () => {
        await update.mutateAsync({ id, enabled: false })
        toast.success(t('done.disabled'), name)
      }}
      onClose={onClose}
    />
  )
}
