import { useQuery } from '@tanstack/react-query'
import { Loader } from '@mantine/core'
import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { startAddingMany } from '#client/features/domains/index.ts'
import { BulkDialog, PreviewDialog, type BulkKind } from '#client/features/operations/index.ts'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import type { Repair } from './repairs.ts'
import type { Repaired } from './use-choice.ts'

export interface AskedRepair {
  repair: Repair
  /** How many of the selected rows it repairs. */
  number: number
  /** The tracker, if it concerns only one. */
  trackerId?: string
}

type Given = Inputs['operations']['preview']['request']

const kinds = {
  link: 'tracker_bind',
  bind: 'tracker_bind',
  bind_again: 'tracker_bind',
  unbind: 'tracker_unbind',
  address: 'ip',
  check: 'tracker_check',
} as const satisfies Partial<Record<Repair, BulkKind>>

/** Repairs without further input. */
function givenOf({ repair, trackerId }: AskedRepair): Given | null {
  if (repair === 'unbind') return { kind: 'tracker_unbind', input: { archive: false } }
  if ((repair === 'link' || repair === 'bind_again') && trackerId !== undefined) return { kind: 'tracker_bind', input: { trackerId } }
  return null
}

/** A repair of the selected rows: its preview, then its start. */
export function RepairDialog({
  asked,
  tracker,
  collect,
  onStarted,
  onClose,
}: {
  asked: AskedRepair
  tracker: Tracker | undefined
  collect: () => Promise<Repaired>
  onStarted: () => void
  onClose: () => void
}) {
  const { repair, number } = asked
  // Fetched once, independent of renders.
  const selected = useRef<Promise<Repaired>>(undefined)
  const read = (): Promise<Repaired> => (selected.current ??= collect())
  const [wanted] = tracker === undefined ? [] : tracker.addresses.length > 0 ? tracker.addresses : tracker.foundAddresses
  if (repair === 'add') return <Adding read={read} ipAddress={wanted} onClose={onClose} />
  if (repair === 'archive') return <Archiving read={read} onStarted={onStarted} onClose={onClose} />
  const given = givenOf(asked)
  return (
    <Suspense>
      <BulkDialog
        kind={kinds[repair]}
        count={number}
        {...(given && { given })}
        {...(tracker !== undefined && { about: { ownerId: tracker.ownerId, ...(wanted !== undefined && { ipAddress: wanted }) } })}
        targetOf={async () => ({ ids: (await read()).zoneIds })}
        onStarted={onStarted}
        onClose={onClose}
      />
    </Suspense>
  )
}

interface Part {
  read: () => Promise<Repaired>
  onClose: () => void
}

/** Opens the dialog for new domains with the names. */
function Adding({ read, ipAddress, onClose }: Part & { ipAddress: string | undefined }) {
  const { t } = useTranslation('trackers')
  const names = useQuery({ queryKey: ['trackers', 'adding'], queryFn: read, gcTime: 0, staleTime: 0 })
  const { data } = names
  const handed = useRef(false)
  useEffect(() => {
    if (data === undefined || handed.current) return
    handed.current = true
    startAddingMany(data.names, ipAddress)
    onClose()
  }, [data, ipAddress, onClose])
  return <Waiting title={t('repair.add')} error={names.error} onRetry={() => void names.refetch()} onClose={onClose} />
}

/** Archives domains in the tracker that are in no account. */
function Archiving({ read, onStarted, onClose }: Part & { onStarted: () => void }) {
  const { t } = useTranslation('trackers')
  const planning = trpc.operations.previewTrackerArchive.useMutation({ meta: { failure: false }, trpc: { context: { unbatched: true } } })
  const { mutateAsync } = planning
  const plan = useQuery({
    queryKey: ['trackers', 'archiving'],
    queryFn: async () => mutateAsync({ trackerDomainIds: (await read()).trackerDomainIds }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  if (plan.data === undefined) {
    return <Waiting title={t('repair.archive')} error={plan.error} onRetry={() => void plan.refetch()} onClose={onClose} />
  }
  return (
    <Suspense>
      <PreviewDialog title={t('archive_title')} preview={plan.data} onStarted={onStarted} onClose={onClose} />
    </Suspense>
  )
}

function Waiting({ title, error, onRetry, onClose }: { title: string; error: unknown; onRetry: () => void; onClose: () => void }) {
  const { t } = useTranslation('trackers')
  return (
    <Dialog onClose={onClose} title={title} size={440}>
      {error === null ? (
        <p role="status">
          <Loader size="xs" /> {t('collecting')}
        </p>
      ) : (
        <ErrorState error={error} onRetry={onRetry} />
      )}
    </Dialog>
  )
}
