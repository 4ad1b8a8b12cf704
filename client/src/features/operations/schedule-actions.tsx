import { Button } from '@mantine/core'
import { IconCalendarTime, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { localMoment, StartTime, unfitTime } from './start-options.tsx'

const icon = { size: 15, stroke: 1.8, 'aria-hidden': true } as const

/** A scheduled operation starts now, or at another time. */
export function ScheduleActions({ operation: { id, scheduledAt } }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const [at, setAt] = useState<string | null>(null)
  const reschedule = trpc.operations.reschedule.useMutation({
    meta: { failure: t('page.failed') },
    onSettled: () => void readAgain('operations'),
  })
  const unfit = at === null ? null : unfitTime(new Date(at))
  return (
    <>
      <Button
        disabled={reschedule.isPending}
        leftSection={<IconPlayerPlay {...icon} />}
        onClick={() => reschedule.mutate({ id, scheduledAt: null })}
      >
        {t('page.start_now')}
      </Button>
      <Button
        variant="default"
        disabled={reschedule.isPending}
        leftSection={<IconCalendarTime {...icon} />}
        onClick={() => setAt(localMoment(scheduledAt === null ? Date.now() : Date.parse(scheduledAt)))}
      >
        {t('page.reschedule')}
      </Button>
      {at === null ? null : (
        <ConfirmDialog
          title={t('page.reschedule_title')}
          action={t('page.reschedule_action')}
          things={0}
          harmless
          blocked={unfit !== null}
          consequence={<StartTime value={at} unfit={unfit} onChange={setAt} labelled />}
          onConfirm={async () => {
            await reschedule.mutateAsync({ id, scheduledAt: new Date(at).toISOString() })
          }}
          onClose={() => setAt(null)}
        />
      )}
    </>
  )
}
