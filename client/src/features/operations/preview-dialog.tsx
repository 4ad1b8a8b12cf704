import { Button, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findKind } from '#shared/features/operations/registry.ts'
import type { Operation } from '#shared/features/operations/schema.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { counted, formatNumber, formatZonedDateTime } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, trpc, type Outputs } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { awaitOperation } from './awaited-operations.ts'
import { CopyApiCall } from './copy-api-call.tsx'
import { isOfBatches } from './item-texts.ts'
import { recordsLost } from './item-changes.ts'
import { kindView } from './kinds.ts'
import { PlanList } from './plan-list.tsx'
import { PurchaseTotals } from './purchase-totals.tsx'
import { RedirectAccounts } from './redirect-accounts.tsx'
import { StartOptions, suggestedTrial, unfitTime, type StartChoice, type UnfitTime } from './start-options.tsx'
import { useItems } from './queries.ts'
import { useFailureTitle } from './use-failure-title.ts'
import { type Preview, PreviewWarnings } from './preview-warnings.tsx'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

/** Above this number of objects, a destructive operation requires a typed word. */
const typedAbove = 1

const callWords = {
  cloudflare: 'preview.calls',
  registrar: 'preview.registrar_calls',
  tracker: 'preview.tracker_calls',
  any: 'preview.any_calls',
} as const

/** The preview of an operation. Closing it discards the draft. */
export function PreviewDialog({
  title,
  preview,
  suggestTrial = false,
  terms = [],
  onBack,
  onStarted,
  onClose,
}: {
  title: string
  preview: Preview
  /** Preselects a canary, for changes that can break a server. */
  suggestTrial?: boolean
  /** Further terms shown with the confirmation. */
  terms?: readonly { readonly label: string; readonly value: string }[]
  /** Back to the form; absent if there was none. */
  onBack?: () => void
  onStarted: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('operations')
  const { current, excluded, excluding, exclude } = useExclusions(preview)
  const [warned, setWarned] = useState<string | null>(null)
  const state = useStart({ preview: current, suggestTrial, onStarted })
  const { id, kind } = current.operation
  const { runs, totals, destroys } = state
  const row = findKind(kind)
  const undo = row?.undo ?? 'none'
  return (
    <Dialog onClose={state.starting ? () => undefined : onClose} title={title} size={880}>
      <form className={`column gap-14 ${classes['form']}`} onSubmit={(event) => handleSubmit(event, state.run)}>
        {destroys ? <DeleteConsequence id={id} zones={runs} /> : null}
        <Figures preview={current} runs={runs} />
        {runs === 0 ? <NothingRuns preview={current} /> : null}
        <PreviewWarnings
          preview={current}
          before={preview}
          runs={runs}
          excluded={excluded}
          excluding={excluding}
          onShow={setWarned}
          onExclude={exclude}
        />
        {current.accounts === undefined ? null : <RedirectAccounts accounts={current.accounts} dnsOnly={current.dnsOnly} />}
        <PlanList operation={current.operation} danger={warned} onAll={() => setWarned(null)} />
        {terms.length === 0 ? null : (
          <dl className={`flex wrap size-13 ${classes['agreed']}`}>
            {terms.map(({ label, value }) => (
              <div className="flex gap-6 shrink" key={label}>
                <dt className="muted">{label}</dt>
                <dd className="anywhere">{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {/* The warning of a purchase is among its dangers. */}
        {undo === 'whole' || row?.target === 'operation' || totals !== undefined || runs === 0 ? null : (
          <p className={`size-12 muted ${classes['quiet']}`}>{t(`preview.undo.${undo}`)}</p>
        )}
        <Agreement state={state} operation={current.operation} />
        {runs === 0 ? null : <CopyApiCall id={id} excluded={excluded} />}
        <Footer state={state} operation={current.operation} {...(onBack && { onBack })} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** Domains that already have the value are the usual reason. */
function NothingRuns({ preview: { operation, unchanged, totals } }: { preview: Preview }) {
  const { t } = useTranslation('operations')
  const domains = operation.total + unchanged
  return (
    <p>
      {totals !== undefined
        ? t('purchase.nothing_runs')
        : unchanged === 0
          ? t('preview.nothing_runs')
          : operation.total === 0
            ? t('preview.all_unchanged', counted(domains))
            : t('preview.rest_skipped', { unchanged: formatNumber(unchanged), ...counted(domains) })}
    </p>
  )
}

type Start = ReturnType<typeof useStart>

/** How and when it starts, and what is still missing. A closed draft is discarded. */
function useStart({ preview, suggestTrial, onStarted }: { preview: Preview; suggestTrial: boolean; onStarted: () => void }) {
  const { t } = useTranslation(['operations', 'common'])
  const navigate = useNavigate()
  const { operation, totals } = preview
  const { id, kind } = operation
  const [typed, setTyped] = useState('')
  const start = trpc.operations.start.useMutation({
    meta: { failure: useFailureTitle(kind, 'preview.failed', operation.total) },
  })
  const runs = operation.total - operation.skipped
  const destroys = kindView(kind).destroys === true
  const word = t('common:confirm.word')
  const [choice, setChoice] = useState<StartChoice>({
    at: null,
    priority: 'normal',
    trial: suggestTrial && runs > 1 ? suggestedTrial(runs) : null,
  })
  const scheduled = choice.at === null ? null : new Date(choice.at)
  const [agreed, setAgreed] = useState(false)
  const [unfit, setUnfit] = useState<UnfitTime | null>(null)
  const ready =
    runs > 0 &&
    (totals === undefined || agreed) &&
    (!destroys || runs <= typedAbove || typed.trim().toLowerCase() === word.toLowerCase()) &&
    (scheduled === null || !Number.isNaN(scheduled.getTime()))

  const started = useRef(false)
  useEffect(
    () => () => {
      // Not awaited; an abandoned draft expires within the hour.
      if (!started.current) api.operations.discard.mutate({ id }).catch(() => undefined)
    },
    [id],
  )

  const run = async (): Promise<void> => {
    // Based on the click and not on the rendered state: the second click of a double click comes before the button changes.
    if (!ready || started.current) return
    const wrong = scheduled === null ? null : unfitTime(scheduled)
    if (wrong !== null) return setUnfit(wrong)
    started.current = true
    try {
      await start.mutateAsync({
        id,
        priority: choice.priority,
        ...(scheduled !== null && { scheduledAt: scheduled.toISOString() }),
        ...(choice.trial !== null && choice.trial < runs && { canary: choice.trial }),
      })
    } catch {
      // A toast has reported it.
      started.current = false
      return
    }
    if (scheduled === null) awaitOperation(id)
    void readAgain('operations')
    if (scheduled !== null) {
      toast.undoable(
        t('preview.scheduled', { when: formatZonedDateTime(scheduled) }),
        t('preview.open'),
        () => void navigate({ to: '/operations/$id', params: { id } }),
      )
    }
    onStarted()
  }
  return {
    runs,
    totals,
    destroys,
    word,
    typed,
    setTyped,
    agreed,
    setAgreed,
    choice,
    choose: (part: Partial<StartChoice>): void => {
      setUnfit(null)
      setChoice((before) => ({ ...before, ...part }))
    },
    unfit,
    ready,
    run,
    starting: start.isPending,
  }
}

/** The required confirmations before the start: price, typed word, schedule and canary. */
function Agreement({ state, operation }: { state: Start; operation: Operation }) {
  const { t } = useTranslation('common')
  const { runs, totals, destroys } = state
  return (
    <>
      {totals === undefined || runs === 0 ? null : (
        <PurchaseTotals kind={operation.kind} totals={totals} agreed={state.agreed} onAgree={state.setAgreed} />
      )}
      {destroys && runs > typedAbove ? (
        <TextInput
          label={t('confirm.type', { word: state.word })}
          value={state.typed}
          onChange={(event) => state.setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      ) : null}
      {runs === 0 ? null : (
        // Later batches of redirects need the room that earlier ones make, so none is tried first.
        <StartOptions choice={state.choice} domains={isOfBatches(operation) ? 1 : runs} unfit={state.unfit} onChange={state.choose} />
      )}
    </>
  )
}

function Footer({ state, operation, onBack, onClose }: { state: Start; operation: Operation; onBack?: () => void; onClose: () => void }) {
  const { t } = useTranslation(['operations', 'common'])
  const { choice, destroys, runs } = state
  return (
    <div className={`row wrap gap-12 between on-raised ${classes['footer']}`}>
      <div className={`flex wrap gap-8 end ${classes['actions']}`}>
        <Button variant="default" onClick={onBack ?? onClose} disabled={state.starting}>
          {onBack ? t('preview.back') : t('common:cancel')}
        </Button>
        <Button type="submit" {...(destroys && { color: 'red' })} loading={state.starting} disabled={!state.ready}>
          {choice.at !== null
            ? t('preview.schedule')
            : choice.trial !== null
              ? t('start.run_trial', counted(choice.trial))
              : t(isOfBatches(operation) ? 'batches.run' : (kindView(operation.kind).run ?? 'preview.run'), counted(runs))}
        </Button>
      </div>
    </div>
  )
}

/** The number of changes and calls, and the estimated duration. */
function Figures({ preview, runs }: { preview: Preview; runs: number }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const { operation, unchanged, calls, seconds, bottleneck, shares } = preview
  const numbers = [
    { label: t(kindView(operation.kind).affected ?? 'preview.changed'), value: words.items(operation, runs), strong: true },
    ...(unchanged > 0 ? [{ label: t('preview.unchanged'), value: words.items(operation, unchanged), strong: false }] : []),
    ...(operation.skipped > 0 ? [{ label: t('preview.skipped'), value: words.items(operation, operation.skipped), strong: false }] : []),
    { label: t(callWords[findKind(operation.kind)?.calls ?? 'any']), value: formatNumber(calls), strong: false },
    {
      label: t('preview.time'),
      value: calls === 0 ? t('preview.immediately') : t('preview.about', { time: words.time(seconds) }),
      strong: false,
    },
  ]
  return (
    <>
      <dl className={`flex wrap ${classes['numbers']}`}>
        {numbers.map(({ label, value, strong }) => (
          <div key={label} data-strong={strong || undefined}>
            <dt className="size-12 secondary">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {bottleneck === null || bottleneck.seconds < 5 ? null : (
        <p className={`size-12 muted ${classes['quiet']}`}>
          {t(bottleneck.items === runs ? 'preview.single_account' : 'preview.bottleneck', {
            count: bottleneck.items,
            formatted: formatNumber(bottleneck.items),
            account: bottleneck.account,
            time: words.time(bottleneck.seconds),
          })}
        </p>
      )}
      {shares === undefined || shares.length === 0 ? null : (
        <ul className={`column scroll-y size-13 ${classes['shares']}`} aria-label={t('preview.shares')}>
          {shares.map(({ account, items, reason }) => (
            <li className="grid baseline" key={`${account} ${reason}`}>
              <bdi>{account}</bdi>
              <strong className="medium numeric">{words.domains(items)}</strong>
              <span className={`size-12 muted ${classes['quiet']}`}>{t(`reasons.${reason}`)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The preview without the domains excluded by their warnings. */
function useExclusions(preview: Preview) {
  const { t } = useTranslation('operations')
  const [{ excluded, answer }, setExclusions] = useState<{
    excluded: readonly string[]
    answer: Partial<Outputs['operations']['exclude']>
  }>({ excluded: [], answer: {} })
  const change = trpc.operations.exclude.useMutation({ meta: { failure: t('preview.exclude_failed') } })
  const exclude = (dangers: readonly string[]): void => {
    change.mutate(
      { id: preview.operation.id, dangers: [...dangers] },
      {
        onSuccess: (next) => {
          setExclusions({ excluded: dangers, answer: next })
          void readAgain('operations')
        },
      },
    )
  }
  return { current: { ...preview, ...answer }, excluded, excluding: change.isPending, exclude }
}

/** What is deleted, in numbers; records are counted if all domains are loaded. */
function DeleteConsequence({ id, zones }: { id: string; zones: number }) {
  const { t } = useTranslation('operations')
  const { items, complete } = useItems(id, {})
  const records = items.reduce((sum, { plan, state }) => (state === 'skipped' ? sum : sum + (recordsLost(plan) ?? 0)), 0)
  const zoneWords = t('preview.zones', counted(zones))
  const [saving, setSaving] = useState(false)
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      const { saveZoneFiles } = await import('./save-zone-files.ts')
      const missing = await saveZoneFiles(id)
      if (missing > 0) toast.warning(t('preview.files_missing', counted(missing)))
    } catch (error) {
      toast.failure(error, t('preview.files_failed'))
    } finally {
      setSaving(false)
    }
  }
  return (
    <div>
      <p className="medium">
        {complete
          ? t('preview.delete_text', { zones: zoneWords, records: t('preview.records', counted(records)) })
          : t('preview.delete_text_all', { zones: zoneWords })}
      </p>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={saving}
        leftSection={<IconDownload size={14} stroke={1.8} aria-hidden />}
        onClick={() => void save()}
      >
        {t('preview.save_files', counted(zones))}
      </Button>
    </div>
  )
}
