import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconHelpCircle } from '@tabler/icons-react'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation, OperationPreview } from '#shared/features/operations/schema.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { counted, formatNumber, useNow } from '#client/lib/format.ts'
import { createStore } from '#client/lib/store.ts'
import { toast } from '#client/lib/toast.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { useFloatingSpace } from '#client/ui/overlay/floating-space.ts'
import { ProgressRing } from '#client/ui/chart/progress.tsx'
import { usePhone } from '#client/ui/layout/use-media.ts'
import { itemTexts } from './item-texts.ts'
import { kindView } from './kinds.ts'
import { awaitedOperations } from './awaited-operations.ts'
import { useUndo } from './mutations.ts'
import { TrialButtons } from './trial-buttons.tsx'
import { OperationProgressBar } from './operation-progress-bar.tsx'
import { finishedItems, isTrialOver, shownState, type ShownState } from './operation-progress.ts'
import { useOperationWords, useWaiting } from './use-operation-words.ts'
import { useSecondsLeft } from './use-seconds-left.ts'
import classes from './dock-view.module.css'

/** Opened from a toast on any page, whose texts may differ. */
const PreviewDialog = lazyPart(async () => (await import('./preview-dialog.tsx')).PreviewDialog, 'operations', 'security')

const shownAtMost = 4
/** The stored preference. By default it opens only for a decision that has just come up, because it covers the page; not on a phone or on the operations pages. */
const expanded = createStore<boolean | null>(null)

/** Running operations; reports their end. `seen`: those seen running before it was loaded; `known`: those waiting for a decision since the page was opened. */
export function DockView({ seen, known }: { seen: readonly string[]; known: ReadonlySet<string> }) {
  const { t } = useTranslation('operations')
  const phone = usePhone()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const wish = expanded.use()
  const words = useOperationWords()
  const list = trpc.operations.list.useQuery({ state: 'active', limit: 50 }, { refetchOnMount: false })
  // A scheduled operation has nothing to watch yet.
  const running = (list.data?.operations ?? []).filter((operation) => shownState(operation) !== 'scheduled')
  const deciding = running.filter(isTrialOver)
  const fresh = deciding.filter(({ id }) => !known.has(id))
  const [undoing, setUndoing] = useState<OperationPreview | null>(null)
  const undo = useUndo(setUndoing)
  useEndings(seen, list.data?.operations, list.dataUpdatedAt, undo.ask)
  const dock = useRef<HTMLElement>(null)
  useFloatingSpace(dock, running.length > 0)
  const undoDialog = undoing === null ? null : <UndoDialog preview={undoing} onClose={() => setUndoing(null)} />
  if (running.length === 0) return undoDialog

  const finished = running.reduce((sum, operation) => sum + finishedItems(operation), 0)
  const total = running.reduce((sum, operation) => sum + operation.total, 0)
  const amount = counted(running.length)
  const others = running.length - deciding.length
  const shown = wish === true ? running : wish === null && !phone && !path.startsWith('/operations') ? fresh : []
  const small = shown.length === 0
  const [only] = running
  const title =
    deciding.length > 0
      ? t('dock.deciding', counted(deciding.length))
      : only !== undefined && running.length === 1
        ? words.kind(only)
        : t('dock.running', amount)
  return (
    <>
      <aside
        ref={dock}
        className={`clip size-13 on-raised ${classes['dock']}`}
        aria-label={t('dock.label')}
        data-collapsed={small || undefined}
      >
        <button type="button" className={classes['head']} aria-expanded={!small} onClick={() => expanded.set(small)}>
          {deciding.length > 0 ? (
            <IconHelpCircle size={16} className="fixed warn" aria-hidden />
          ) : (
            <ProgressRing label={t('page.progress')} value={finished} total={total} />
          )}
          <span className="cut">{title}</span>
          <span className="size-12 regular secondary nowrap numeric push">
            {deciding.length === 0 ? (
              <span title={t('page.progress')}>{t('list.of', { done: formatNumber(finished), total: formatNumber(total) })}</span>
            ) : others === 0 ? null : (
              <span title={t('dock.others', counted(others))}>+{formatNumber(others)}</span>
            )}
          </span>
          <ActionIcon component="span" size={22} title={t(small ? 'dock.expand' : 'dock.collapse')} aria-hidden>
            {small ? <IconChevronUp size={15} /> : <IconChevronDown size={15} />}
          </ActionIcon>
        </button>
        {small ? null : (
          <ul className={`scroll-y line-top ${classes['list']}`}>
            {shown.slice(0, shownAtMost).map((operation) => (
              <Row key={operation.id} operation={operation} />
            ))}
            {shown.length > shownAtMost ? (
              <li className="size-12 p-8-12">
                <Link to="/operations" search={{ state: 'active' }}>
                  {t('dock.more', counted(shown.length - shownAtMost))}
                </Link>
              </li>
            ) : null}
          </ul>
        )}
      </aside>
      {undoDialog}
    </>
  )
}

function UndoDialog({ preview, onClose }: { preview: OperationPreview; onClose: () => void }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const router = useRouter()
  return (
    <Suspense>
      <PreviewDialog
        title={t('preview.undo_title', { domains: words.items(preview.operation, preview.operation.total + preview.unchanged) })}
        preview={preview}
        onStarted={() => {
          onClose()
          void router.navigate({ to: '/operations/$id', params: { id: preview.operation.id } })
        }}
        onClose={onClose}
      />
    </Suspense>
  )
}

function Row({ operation }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const now = useNow(1_000)
  const waiting = useWaiting(operation)
  const left = useSecondsLeft(operation, now)
  const note = isTrialOver(operation)
    ? t('dock.decide')
    : (waiting ?? (left !== null ? t('page.left', { time: words.time(left) }) : words.state(operation)))
  return (
    <li>
      <Link to="/operations/$id" params={{ id: operation.id }} className={`column gap-6 primary hover p-10-12 ${classes['row']}`}>
        <span className="flex gap-8">
          <span>{words.kind(operation)}</span>
          <span className="size-12 regular secondary nowrap numeric push">
            {t('list.of', { done: formatNumber(operation.done), total: formatNumber(operation.total) })}
          </span>
        </span>
        <OperationProgressBar operation={operation} />
        <span className="size-12 line-16 secondary">{note}</span>
      </Link>
      {isTrialOver(operation) ? <TrialButtons operation={operation} small /> : null}
    </li>
  )
}

const endingToast: Partial<Record<ShownState, 'success' | 'warning' | 'error'>> = {
  done: 'success',
  attention: 'warning',
  partly: 'warning',
  failed: 'error',
}

/** A toast for each operation seen running or started here that has ended: ‘updated X of Y’. */
function useEndings(
  seenBefore: readonly string[],
  running: readonly Operation[] | undefined,
  readAtMs: number,
  onUndo: (id: string) => void,
): void {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const router = useRouter()
  const awaited = awaitedOperations.use()
  const seen = useRef<ReadonlySet<string>>(new Set(seenBefore))
  /** Reported endings; a resumed operation has another one. */
  const shownEndings = useRef(new Set<string>())

  const showEnding = (operation: Operation, undoable: boolean): void => {
    const { id, state, total, done, attention, failed, skipped, finishedAt } = operation
    const ending = `${id} ${finishedAt ?? ''}`
    if ((state !== 'done' && state !== 'cancelled') || shownEndings.current.has(ending)) return
    shownEndings.current.add(ending)
    awaitedOperations.set((before) => before.filter((each) => each !== id))
    // Its page shows the result, even while that page is loading.
    if (router.latestLocation.pathname === `/operations/${id}`) return
    // Only for a new value: other subjects would make the toast several sentences long.
    const kind = words.kind(
      kindView(operation.kind).subject === 'value' || operation.subject === '' ? operation : { ...operation, subject: null },
    )
    const title =
      state === 'cancelled'
        ? t('toast.cancelled', { kind })
        : t(kindView(operation.kind).countedOnly ? itemTexts(operation).ended : 'toast.done', {
            kind,
            done: formatNumber(done),
            count: total,
            formatted: formatNumber(total),
          })
    const rest = [
      attention > 0 ? t('toast.attention', { formatted: formatNumber(attention) }) : null,
      failed > 0 ? t('toast.failed', { formatted: formatNumber(failed) }) : null,
      skipped > 0 ? t('toast.skipped', { formatted: formatNumber(skipped) }) : null,
    ].filter((part) => part !== null)
    toast.ended(
      endingToast[shownState(operation)] ?? 'info',
      title,
      rest.join(' · '),
      t('toast.show'),
      () =>
        void router.navigate({
          to: '/operations/$id',
          params: { id },
          search: failed > 0 ? { state: 'failed' } : attention > 0 ? { state: 'attention' } : {},
        }),
      undoable ? { label: t('page.undo'), run: () => onUndo(id) } : undefined,
    )
  }

  useEffect(() => {
    if (running === undefined) return
    const now = new Set(running.map(({ id }) => id))
    for (const id of new Set([...seen.current, ...awaited])) {
      if (now.has(id)) continue
      // With all schemas of operations, so only when one has ended.
      Promise.all([api.operations.items.query({ id, limit: 1 }), import('./is-undoable.ts')]).then(
        ([{ operation }, { isUndoable }]) => showEnding(operation, isUndoable(operation)),
        () => undefined,
      )
    }
    seen.current = now
    // Depends only on the running operations; the texts are those of the moment.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [running, readAtMs, awaited])
}
