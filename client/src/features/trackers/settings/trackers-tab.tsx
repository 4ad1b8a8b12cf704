import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trackerKinds, trackerNames } from '#shared/features/trackers/names.ts'
import type { Tracker, TrackerKind } from '#shared/features/trackers/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { TrackerDialog } from './tracker-dialog.tsx'
import { TrackerRow } from './tracker-row.tsx'
import links from '#client/ui/display/text-link.module.css'
import classes from '../trackers.module.css'

/** The trackers of the panel: any number of each kind, one of them the default (R-TRK-01). */
export function TrackersTab() {
  const { t } = useTranslation('trackers')
  const list = trpc.trackers.list.useQuery({})
  const [adding, setAdding] = useState<TrackerKind | null>(null)
  useLiveQueries('trackers')
  const trackers = list.data?.trackers
  if (trackers === undefined) {
    return list.isError ? (
      <ErrorState title={t('failed.load')} error={list.error} onRetry={() => void list.refetch()} />
    ) : (
      <div className={`column ${classes['wait']}`} role="status" aria-busy>
        <span className="sr-only">{t('loading')}</span>
        {[30, 55, 40].map((width) => (
          <Skeleton key={width} width={`${width}%`} height={14} />
        ))}
      </div>
    )
  }
  const owners = new Set(trackers.map(({ ownerId }) => ownerId))
  return (
    <>
      {trackerKinds.map((kind) => (
        <FormSection key={kind} title={trackerNames[kind]} text={t(`about.${kind}`)}>
          <Kind kind={kind} trackers={trackers.filter((each) => each.kind === kind)} named={owners.size > 1} />
          <div className="flex wrap gap-8">
            <Button variant="default" leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setAdding(kind)}>
              {t('add', { kind: trackerNames[kind] })}
            </Button>
          </div>
        </FormSection>
      ))}
      {trackers.length === 0 ? null : (
        <p className={classes['onward']}>
          <Link to="/trackers" className={`hover-underline ${links['way']}`}>
            {t('to_page')}
          </Link>
        </p>
      )}
      {adding === null ? null : <TrackerDialog kind={adding} onClose={() => setAdding(null)} />}
    </>
  )
}

function Kind({ kind, trackers, named }: { kind: TrackerKind; trackers: readonly Tracker[]; named: boolean }) {
  return trackers.length === 0 ? null : (
    <ul className="card" aria-label={trackerNames[kind]}>
      {trackers.map((tracker) => (
        <TrackerRow key={`${tracker.id} ${tracker.url ?? ''}`} tracker={tracker} owner={named ? tracker.ownerName : null} />
      ))}
    </ul>
  )
}
