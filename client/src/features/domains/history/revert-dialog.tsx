import { Button, Checkbox } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmedCalls } from '#shared/features/api-calls/preview-calls.ts'
import { CopyCalls } from '#client/ui/display/copy-calls.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import type { Entry, HistoryScope, Step } from './queries.ts'
import { failureOf, messageOf, providerWords } from '#client/lib/errors.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs, type Outputs } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { ChangeDiff } from './change-diff.tsx'
import { stepWord } from './field-changes.ts'
import { useChangeWords } from './use-change-words.ts'
import classes from './revert-dialog.module.css'

const tones: Record<Step['state'], Tone> = { will_change: 'info', already: 'good', changed_since: 'warn', impossible: 'bad' }

/** Previews an undo before anything is sent, then runs it. */
export function RevertDialog({
  scope,
  entries,
  onDone,
  onClose,
}: {
  scope: HistoryScope
  entries: readonly Entry[]
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('history')
  const [force, setForce] = useState(false)
  const input = { id: scope.id, ids: entries.map(({ id }) => id) }
  const { preview, revert, read } = useRevert(scope, input, () => {
    onDone()
    onClose()
  })

  const plan = preview.data
  const doable = doableIn(plan, force)
  return (
    <Dialog onClose={revert.isPending ? () => undefined : onClose} title={t('revert_title', counted(entries.length))} size={680}>
      {preview.isError ? (
        <ErrorState title={t('preview_failed')} error={preview.error} onRetry={read} />
      ) : plan === undefined ? (
        <div className={`column ${classes['wait']}`} role="status">
          <span className="sr-only">{t('preview_loading')}</span>
          <Skeleton width="60%" />
          <Skeleton width="45%" />
          <Skeleton width="70%" />
        </div>
      ) : (
        <Plan plan={plan} entries={entries} revert={revert} force={force} onForce={setForce} />
      )}
      <div className={`flex gap-8 end on-raised ${classes['actions']}`}>
        {plan === undefined || revert.isSuccess || doable === 0 ? null : (
          <CopyCalls
            write={() =>
              confirmedCalls(scope.kind === 'domain' ? 'history.revert' : 'history.revertOfAccount', input, window.location.origin, {
                force,
              })
            }
          />
        )}
        <Button variant="default" onClick={onClose} disabled={revert.isPending}>
          {t(revert.isSuccess ? 'close' : 'cancel')}
        </Button>
        {plan === undefined || revert.isSuccess ? null : (
          <Button
            disabled={doable === 0 || preview.isPending}
            loading={revert.isPending}
            onClick={() => revert.mutate({ ...input, token: plan.token, force })}
          >
            {t('revert_now')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** The undo is planned first, and again if anything else has changed in the meantime. */
function useRevert({ kind }: HistoryScope, input: Inputs['history']['previewRevert'], onReverted: () => void) {
  const { t } = useTranslation('history')
  const utils = trpc.useUtils()
  const isDomain = kind === 'domain'
  const silent = { meta: { failure: false } } as const
  const [ofDomain, ofAccount] = [trpc.history.previewRevert.useMutation(silent), trpc.history.previewRevertOfAccount.useMutation(silent)]
  const preview = isDomain ? ofDomain : ofAccount
  const onSuccess = ({ done, failed }: Outputs['history']['revert']): void => {
    if (failed.length > 0) return
    toast.success(t('reverted', counted(done)))
    onReverted()
  }
  const onError = (error: unknown): void => {
    const failure = failureOf(error)
    // The plan is based on the state a moment ago.
    if (failure.kind === 'answered' && failure.data.code === 'conflict') preview.mutate(input)
  }
  const meta = { failure: t('revert_failed') }
  const revertingDomain = trpc.history.revert.useMutation({
    meta,
    onError,
    onSettled: () =>
      Promise.all([
        utils.history.invalidate(),
        utils.records.invalidate(),
        utils.domains.invalidate(),
        utils.zoneSettings.ssl.invalidate(),
      ]),
    onSuccess,
  })
  const revertingAccount = trpc.history.revertOfAccount.useMutation({
    meta,
    onError,
    onSettled: () => Promise.all([utils.history.listOfAccount.invalidate(), utils.ipAccess.listOfAccount.invalidate()]),
    onSuccess,
  })
  const revert = isDomain ? revertingDomain : revertingAccount
  const { mutate } = preview
  const read = (): void => mutate(input)
  const begin = useEffectEvent(read)
  useEffect(() => begin(), [])
  return { preview, revert, read }
}

type RevertPlan = Outputs['history']['previewRevert']

const countOf = (plan: RevertPlan | undefined, state: Step['state']): number =>
  plan?.steps.filter((step) => step.state === state).length ?? 0
const doableIn = (plan: RevertPlan | undefined, force: boolean): number =>
  countOf(plan, 'will_change') + (force ? countOf(plan, 'changed_since') : 0)

function Plan({
  plan,
  entries,
  revert,
  force,
  onForce,
}: {
  plan: RevertPlan
  entries: readonly Entry[]
  revert: ReturnType<typeof useRevert>['revert']
  /** Also undoes what was changed since. */
  force: boolean
  onForce: (force: boolean) => void
}) {
  const { t } = useTranslation(['history', 'security'])
  const changedSince = countOf(plan, 'changed_since')
  const doable = doableIn(plan, force)
  const failed = revert.data?.failed ?? []
  return (
    <>
      <p className="size-13 secondary" role="status">
        {doable === 0 ? t('nothing_to_do') : t('plan', { ...counted(doable), calls: t('calls', counted(plan.calls)) })}
      </p>
      {revert.isSuccess
        ? null
        : plan.warnings.map((code) => (
            <div key={code} className="mt-12">
              <WarningBox title={t(`security:warnings.${code}.title`)}>{t(`security:warnings.${code}.text`)}</WarningBox>
            </div>
          ))}
      <ul className="border-strong radius-8 mt-12" aria-label={t('steps')}>
        {plan.steps.map((step) => (
          <StepView
            key={step.entryId}
            step={step}
            entry={entries.find(({ id }) => id === step.entryId)}
            failure={failed.find(({ entryId }) => entryId === step.entryId)}
          />
        ))}
      </ul>
      {changedSince > 0 ? (
        <Checkbox
          mt={14}
          label={t('force', { formatted: formatNumber(changedSince) })}
          description={t('force_help')}
          checked={force}
          onChange={(event) => onForce(event.currentTarget.checked)}
        />
      ) : null}
      {revert.isError ? (
        <p className={`size-13 primary radius-8 on-bad ${classes['problem']}`} role="alert">
          {[messageOf(revert.error), providerWords(revert.error)].filter((words) => words !== undefined).join('\n')}
        </p>
      ) : failed.length > 0 ? (
        <p className={`size-13 primary radius-8 on-bad ${classes['problem']}`} role="alert">
          {t('partly', { done: formatNumber(revert.data?.done ?? 0), failed: formatNumber(failed.length) })}
        </p>
      ) : null}
    </>
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
const groupOf = (side: unknown): unknown => (isObject(side) ? side['value'] : undefined)

/** A group is recorded only by its id, a profile by its id and version; the entry has the name. */
function sideOf(value: unknown, entry: Entry | undefined): unknown {
  if ((entry?.key !== 'group' && entry?.key !== 'profile') || typeof value !== 'string') return value ?? null
  const [id = '', version] = value.split(' ')
  const named = [groupOf(entry.before), groupOf(entry.after)].filter((each) => isObject(each) && each['id'] === id)
  return named.find((each) => isObject(each) && String(each['version']) === version) ?? named[0] ?? value
}

function StepView({
  step,
  entry,
  failure,
}: {
  step: Step
  entry: Entry | undefined
  failure: { code: string; message: string | null } | undefined
}) {
  const { t } = useTranslation('history')
  const words = useChangeWords()
  const named = { subject: entry?.subject ?? 'record', key: entry?.key ?? '', label: step.label } as const
  return (
    <li className={`divided ${classes['step']}`}>
      <div className={`flex wrap between anywhere ${classes['stepHead']}`}>
        <strong className={named.subject === 'record' ? 'mono' : undefined}>{words.title(named)}</strong>
        <StateBadge
          quiet
          tone={failure ? 'bad' : tones[step.state]}
          label={t(failure ? 'step_failed' : `steps_state.${stepWord(step, named.subject)}`)}
        />
      </div>
      {step.state === 'will_change' || step.state === 'changed_since' ? (
        <ChangeDiff change={{ ...named, before: sideOf(step.now, entry), after: sideOf(step.wanted, entry) }} />
      ) : null}
      {step.reason === null ? null : <p className="size-12 secondary anywhere">{t(`reasons.${step.reason}`)}</p>}
      {failure ? <p className="size-12 secondary anywhere">{failure.message ?? failure.code}</p> : null}
    </li>
  )
}
