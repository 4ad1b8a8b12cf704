import { Button } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconPlayerPause, IconPlayerPlay, IconRefresh, IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'
import { failuresCsv } from './items-csv.ts'
import { itemTexts } from './item-texts.ts'
import { CancelButton } from './cancel-button.tsx'
import { useControls } from './mutations.ts'
import { isActive, isTrialOver, shownState } from './operation-progress.ts'
import { collectItems, collectNames } from './queries.ts'
import { useOperationWords } from './use-operation-words.ts'
import { localMoment, StartTime, unfitTime } from './start-options.tsx'
import { TrialButtons } from './trial-buttons.tsx'
import classes from './operations.module.css'

const icon = { size: 15, stroke: 1.8, 'aria-hidden': true } as const

/** The undo, if there is one. */
interface UndoAction {
  busy: boolean
  ask: () => void
}

/** The available actions. After a canary they are in its notice. */
export function OperationActions({ operation, undo }: { operation: Operation; undo?: UndoAction }) {
  const { t } = useTranslation('operations')
  const { pause, resume, retry, busy } = useControls()
  const { id, state, failed } = operation
  const trial = isTrialOver(operation)
  return (
    <>
      {state === 'queued' || state === 'running' || state === 'waiting' ? (
        <Button variant="default" disabled={busy} leftSection={<IconPlayerPause {...icon} />} onClick={() => pause.mutate({ id })}>
          {t('page.pause')}
        </Button>
      ) : null}
      {shownState(operation) === 'scheduled' ? <ScheduleActions operation={operation} /> : null}
      {state === 'paused' && !trial ? (
        <Button disabled={busy} leftSection={<IconPlayerPlay {...icon} />} onClick={() => resume.mutate({ id })}>
          {t('page.resume')}
        </Button>
      ) : null}
      {isActive(operation) && !trial ? <CancelButton operation={operation} /> : null}
      {failed === 0 ? null : (
        <>
          <Failures operation={operation} />
          <Button variant="default" disabled={busy} leftSection={<IconRefresh {...icon} />} onClick={() => retry.mutate({ id })}>
            {t(itemTexts(operation).retry, counted(failed))}
          </Button>
        </>
      )}
      {undo === undefined || trial ? null : (
        <Button variant="default" loading={undo.busy} leftSection={<IconArrowBackUp {...icon} />} onClick={undo.ask}>
          {t('page.undo')}
        </Button>
      )}
    </>
  )
}

/** The notice of a finished canary. */
export function TrialNotice({ operation, undo }: { operation: Operation; undo?: UndoAction }) {
  const { t } = useTranslation('operations')
  const { total, done, failed } = operation
  const tried = done + failed
  return (
    <section className={classes['trial']} aria-label={t('trial.label')}>
      <p>
        <strong className="size-14 block semibold primary">
          {t('trial.title', { count: total, done: formatNumber(tried), formatted: formatNumber(total) })}
        </strong>
        {t(failed > 0 ? 'trial.text_failed' : undo === undefined ? 'trial.text_lasting' : 'trial.text', {
          formatted: formatNumber(failed),
        })}
      </p>
      <TrialButtons operation={operation}>
        {undo === undefined ? null : (
          <Button variant="default" loading={undo.busy} leftSection={<IconArrowBackUp {...icon} />} onClick={undo.ask}>
            {t('page.undo')}
          </Button>
        )}
      </TrialButtons>
    </section>
  )
}

/** Exports the failed items. */
function Failures({ operation }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const { id } = operation
  const texts = itemTexts(operation)
  const [exporting, setExporting] = useState(false)
  const { copy } = useCopy()
  const take = async (work: () => Promise<void>): Promise<void> => {
    setExporting(true)
    try {
      await work()
    } catch (error) {
      toast.failure(error, t('page.export_failed'))
    } finally {
      setExporting(false)
    }
  }
  return (
    <MenuButton
      position="bottom-end"
      button={
        <Button variant="default" loading={exporting} leftSection={<IconDownload {...icon} />}>
          {t('page.failures')}
        </Button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item
            onClick={() =>
              void take(async () => {
                const items = await collectNames(id, { state: 'failed' })
                if (await copy(items.map(({ displayName }) => displayName).join('\n'))) toast.success(t(texts.failedCopied))
              })
            }
          >
            {t(texts.copyFailed)}
          </Menu.Item>
          <Menu.Item
            onClick={() =>
              void take(async () => saveFile('failures.csv', 'text/csv', failuresCsv(await collectItems(id, { state: 'failed' }), words)))
            }
          >
            {t('page.csv_failures')}
          </Menu.Item>
        </>
      )}
    </MenuButton>
  )
}

/** Starts a scheduled operation now, or reschedules it. */
function ScheduleActions({ operation: { id, scheduledAt } }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const [at, setAt] = useState<string | null>(null)
  const { reschedule } = useControls()
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
          count={0}
          harmless
          blocked={unfit !== null}
          consequence={<StartTime value={at} unfit={unfit} onChange={setAt} labeled />}
          onConfirm={async () => {
            await reschedule.mutateAsync({ id, scheduledAt: new Date(at).toISOString() })
          }}
          onClose={() => setAt(null)}
        />
      )}
    </>
  )
}
