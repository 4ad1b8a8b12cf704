import { Loader, Checkbox } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TrackerFields, useManagedTrackers, usualTracker, useTrackerChoices, type InTracker } from '#client/features/trackers/index.ts'
import { counted } from '#client/lib/format.ts'
import type { BulkFormProps } from './bulk-form.ts'
import classes from './operations.module.css'

/** The tracker and the campaign (R-TRK-03). */
export function TrackerBindForm({ onSubmit, frame, about }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const [selected, setSelected] = useState<InTracker | null>(null)
  const trackers = useManagedTrackers(about?.ownerId)?.filter(({ enabled }) => enabled) ?? []
  const usual = usualTracker(trackers)
  const choices = useTrackerChoices(selected?.trackerId ?? usual?.id)
  const bound = about?.bound ?? 0
  return frame(
    <>
      <Suspense fallback={<Loader size="xs" />}>
        <TrackerFields value={selected} ownerId={about?.ownerId} onChange={setSelected} />
      </Suspense>
      {bound === 0 ? null : <p className={`size-12 muted ${classes['quiet']}`}>{t('tracker.bound', counted(bound))}</p>}
    </>,
    () => {
      const input = selected ?? (usual && { trackerId: usual.id })
      if (input) onSubmit({ kind: 'tracker_bind', input })
    },
    // Waits for the campaigns, because without one the binding would be incomplete.
    choices.isLoading,
  )
}

/** Whether the tracker is called too (R-TRK-03). */
export function TrackerUnbindForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const [archive, setArchive] = useState(true)
  return frame(
    <Checkbox
      size="sm"
      label={t('tracker.archive')}
      description={t('tracker.archive_help')}
      checked={archive}
      onChange={(event) => setArchive(event.currentTarget.checked)}
      data-autofocus
    />,
    () => onSubmit({ kind: 'tracker_unbind', input: { archive } }),
  )
}
