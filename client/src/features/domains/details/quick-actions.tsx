import { Loader } from '@mantine/core'
import {
  IconArrowsExchange,
  IconExternalLink,
  IconFolder,
  IconPlayerPause,
  IconPlayerPlay,
  IconReceipt2,
  IconRefresh,
  IconReplace,
  IconRouteAltRight,
  IconTrash,
  IconEraser,
  type Icon,
} from '@tabler/icons-react'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GroupMark, useMovable } from '#client/features/groups/index.ts'
import { BulkDialog } from '#client/features/operations/index.ts'
import { useLock } from '#client/features/sharing/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { sentences } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { siteOf } from '../open-site.tsx'
import { DevelopmentMode } from './development-mode.tsx'
import { renewZone } from './queries.ts'
import classes from './quick-actions.module.css'

const ChangeIpDialog = lateDialog(async () => (await import('./change-ip-dialog.tsx')).ChangeIpDialog)
const DeleteDialog = lateDialog(async () => (await import('./delete-dialog.tsx')).DeleteDialog)
const GroupDialog = lateDialog(async () => (await import('./group-dialog.tsx')).GroupDialog)
const PurgeDialog = lateDialog(async () => (await import('./purge-dialog.tsx')).PurgeDialog)
const RegistrarDialog = lateDialog(async () => (await import('./registrar-dialog.tsx')).RegistrarDialog)

type Dialog = 'purge' | 'ip' | 'group' | 'registrar' | 'pause' | 'replace' | 'redirects' | 'delete'

/** The most frequent actions on a domain (R-DET-05). */
export function QuickActions({ zone }: { zone: DomainDetails }) {
  const { t } = useTranslation(['zone', 'domains'])
  const title = useId()
  const why = useId()
  const lock = useLock()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { id, gone, paused, group } = zone
  const locked = lock('operate')
  const idle = { disabled: gone || locked !== null, why }
  const managed = { off: lock('manage') ?? undefined }
  // Only the owner sees the registrar of a domain.
  const owned = { off: lock('own') ?? undefined }
  const movable = useMovable(zone)
  const refreshIp = trpc.records.refreshIp.useMutation({
    meta: { failure: t('failed.refresh_ip') },
    onSuccess: async (answer) => {
      await renewZone(answer.zone)
      toast.success(t('ip.refreshed'), answer.zone.originIPs.join(', '))
    },
  })
  const pause = usePause(paused)
  return (
    <section className={`column card gap-8 shrink ${classes['panel']}`} aria-labelledby={title}>
      <h2 id={title}>{t('actions.title')}</h2>
      {gone || locked !== null ? (
        <p id={why} className={`size-12 muted ${classes['note']}`} data-gone={gone || undefined}>
          {gone ? t('actions.gone') : locked}
        </p>
      ) : null}
      <div className={classes['rows']}>
        <DevelopmentMode zone={zone} disabled={idle.disabled} />
        <Action
          icon={IconEraser}
          label={t('actions.purge')}
          {...idle}
          off={idle.disabled || zone.status === 'active' ? undefined : sentences(t('purge.unavailable'), t('purge.unavailable_why'))}
          onClick={() => setDialog('purge')}
        />
        <Action icon={IconReplace} label={t('actions.change_ip')} {...idle} onClick={() => setDialog('ip')} />
        <Action
          icon={IconRefresh}
          label={t('actions.refresh_ip')}
          {...idle}
          busy={refreshIp.isPending}
          onClick={() => refreshIp.mutate({ id })}
        />
        <Action
          icon={IconFolder}
          label={t('actions.group')}
          off={managed.off ?? (movable.allows(zone) ? undefined : t('group.locked'))}
          value={
            group === null ? (
              t('group.none')
            ) : (
              <>
                <GroupMark icon={group.icon} color={group.color} />
                <bdi>{group.name}</bdi>
              </>
            )
          }
          onClick={() => setDialog('group')}
        />
        <Action
          icon={IconReceipt2}
          label={t('actions.registrar')}
          {...owned}
          value={<bdi>{zone.registrar?.name ?? t('registrar.none')}</bdi>}
          onClick={() => setDialog('registrar')}
        />
        <Action icon={IconRouteAltRight} label={t('actions.redirect')} {...idle} onClick={() => setDialog('redirects')} />
        <Action icon={IconArrowsExchange} label={t('actions.replace')} {...owned} onClick={() => setDialog('replace')} />
        <Action
          icon={paused ? IconPlayerPlay : IconPlayerPause}
          label={t(paused ? 'actions.resume' : 'actions.pause')}
          {...idle}
          busy={pause.isPending}
          onClick={() => (paused ? pause.mutate({ id, paused: false }) : setDialog('pause'))}
        />
        <a className={`pointer focus-inside ${classes['action']}`} href={siteOf(zone)} target="_blank" rel="noreferrer">
          <IconExternalLink size={16} stroke={1.7} aria-hidden />
          <span className="column grow shrink">{t('domains:actions.open_site')}</span>
        </a>
        <Action icon={IconTrash} label={t('actions.delete')} {...managed} danger onClick={() => setDialog('delete')} />
      </div>
      {dialog === null ? null : <ActionDialog dialog={dialog} zone={zone} pause={pause} onClose={() => setDialog(null)} />}
    </section>
  )
}

function usePause(paused: boolean) {
  const { t } = useTranslation('zone')
  return trpc.zoneSettings.pause.useMutation({
    meta: { failure: t(paused ? 'failed.resume' : 'failed.pause') },
    onSuccess: async (answer, asked) => {
      await renewZone(answer.zone)
      toast.success(t(asked.paused ? 'pause.paused' : 'pause.resumed'))
    },
  })
}

function ActionDialog({
  dialog,
  zone,
  pause,
  onClose,
}: {
  dialog: Dialog
  zone: DomainDetails
  pause: ReturnType<typeof usePause>
  onClose: () => void
}) {
  const { t } = useTranslation('zone')
  switch (dialog) {
    case 'purge':
      return <PurgeDialog zone={zone} onClose={onClose} />
    case 'ip':
      return <ChangeIpDialog zone={zone} onClose={onClose} />
    case 'group':
      return <GroupDialog zone={zone} onClose={onClose} />
    case 'registrar':
      return <RegistrarDialog zone={zone} onClose={onClose} />
    case 'delete':
      return <DeleteDialog zone={zone} onClose={onClose} />
    case 'replace':
    case 'redirects':
      return (
        <ErrorBoundary onFail={onClose}>
          <Suspense>
            <BulkDialog
              kind={dialog}
              count={1}
              about={{ ownerId: zone.ownerId, domains: [zone] }}
              targetOf={() => Promise.resolve({ ids: [zone.id] })}
              onStarted={onClose}
              onClose={onClose}
            />
          </Suspense>
        </ErrorBoundary>
      )
    case 'pause':
      return (
        <ConfirmDialog
          title={t('pause.title', { domain: zone.displayName })}
          consequence={t('pause.text', { count: zone.proxiedCount })}
          action={t('pause.confirm')}
          count={1}
          onConfirm={async () => {
            await pause.mutateAsync({ id: zone.id, paused: true })
          }}
          onClose={onClose}
        />
      )
  }
}

function Action({
  icon: Symbol,
  label,
  value,
  disabled = false,
  why,
  off,
  busy = false,
  danger = false,
  onClick,
}: {
  icon: Icon
  label: string
  value?: ReactNode
  disabled?: boolean
  /** The reason why all actions are disabled. */
  why?: string
  /** Why this action is disabled. */
  off?: string | undefined
  busy?: boolean
  danger?: boolean
  onClick: () => void
}) {
  const idle = disabled || off !== undefined || busy
  return (
    <button
      type="button"
      className={`pointer focus-inside ${classes['action']}`}
      data-danger={danger || undefined}
      data-off={off === undefined ? undefined : true}
      aria-disabled={idle}
      aria-describedby={disabled ? why : undefined}
      onClick={() => {
        if (!idle) onClick()
      }}
    >
      {busy ? <Loader size={16} /> : <Symbol size={16} stroke={1.7} aria-hidden />}
      <span className="column grow shrink">{label}</span>
      {value === undefined ? null : <span className={`inline gap-6 shrink muted ${classes['state']}`}>{value}</span>}
      {off === undefined ? null : <span className={`size-12 line-16 muted ${classes['why']}`}>{off}</span>}
    </button>
  )
}
