import { Button, Checkbox } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { displayAddress } from '#shared/features/redirects/redirect-url.ts'
import type { Redirect, RedirectPreview } from '#shared/features/redirects/schema.ts'
import { awaitOperation } from '#client/features/operations/index.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { effectiveOptions } from './options.ts'
import type { RedirectPlan } from './plan-redirects.ts'
import classes from './redirects.module.css'

/** Whether proxied records are created; the preview is requested again when it is switched. */
interface RecordsSwitch {
  readonly isOn: boolean
  readonly isPlanning: boolean
  readonly set: (isOn: boolean) => void
}

/** What a change does and causes; nothing is sent before it is confirmed. Closing it discards the draft. Without `onBack` it only deletes. */
export function PlanView({
  plan,
  records,
  onBack,
  onClose,
}: {
  plan: RedirectPlan
  records: RecordsSwitch
  onBack?: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['redirects', 'common'])
  const { summary, preview } = plan
  const { start, isPending } = useStart(plan, onClose)
  return (
    <form className="column gap-14 size-13" onSubmit={(event) => handleSubmit(event, start)}>
      <dl className={`grid gap-8 ${classes['figures']}`}>
        {(['added', 'changed', 'removed', 'unchanged'] as const).map((part) => (
          <div className={`column ${classes['figure']}`} key={part}>
            <dt className="muted size-12">{t(`plan.${part}`)}</dt>
            <dd>
              <strong>{formatNumber(summary[part])}</strong>
            </dd>
          </div>
        ))}
      </dl>
      <p className="secondary">
        {preview === null
          ? t('plan.nothing')
          : t('plan.after', { used: formatNumber(summary.count + summary.othersCount), limit: formatNumber(summary.limit) })}
      </p>
      <Changes summary={summary} />
      <MissingRecords summary={summary} records={records} />
      <LineErrors summary={summary} />
      {(['loops', 'chains', 'uncertain'] as const).map((kind) => (
        <Finding key={kind} kind={kind} count={summary[kind].count}>
          {summary[kind].first.map(({ source, next }) => (
            <li key={source}>
              <bdi className="mono anywhere">{displayAddress(source)}</bdi> → <bdi className="mono anywhere">{displayAddress(next)}</bdi>
            </li>
          ))}
        </Finding>
      ))}
      {summary.unchecked ? <WarningBox title={t('plan.unchecked.title')}> {t('plan.unchecked.text')}</WarningBox> : null}
      {(['foreign', 'unproxied', 'unreadRecords', 'dnsOnly'] as const).map((kind) => (
        <Finding key={kind} kind={kind} count={summary[kind].count}>
          {summary[kind].first.map((source) => (
            <li key={source}>
              <bdi className="mono anywhere">{displayAddress(source)}</bdi>
            </li>
          ))}
        </Finding>
      ))}
      <div className="flex gap-8 end">
        <Button variant="default" disabled={isPending} onClick={onBack ?? onClose}>
          {onBack === undefined ? t('common:cancel') : t('plan.back')}
        </Button>
        <Button
          type="submit"
          loading={isPending}
          disabled={preview === null || records.isPlanning}
          {...(summary.removed > 0 && { color: 'red' })}
        >
          {onBack === undefined
            ? t('plan.delete')
            : summary.removed > 0
              ? t('plan.apply_delete', counted(summary.removed))
              : t('plan.apply')}
        </Button>
      </div>
    </form>
  )
}

/** Starts the draft; a closed one is discarded. */
function useStart({ preview }: RedirectPlan, onClose: () => void) {
  const { t } = useTranslation('redirects')
  const begin = trpc.operations.start.useMutation({ meta: { failure: t('failures.start') } })
  const started = useRef(false)
  const id = preview?.operation.id
  useEffect(
    () => () => {
      // Not awaited; an abandoned draft expires within the hour.
      if (id !== undefined && !started.current) api.operations.discard.mutate({ id }).catch(() => undefined)
    },
    [id],
  )
  const start = async (): Promise<void> => {
    if (id === undefined || started.current) return
    started.current = true
    try {
      await begin.mutateAsync({ id })
      awaitOperation(id)
      void readAgain('operations')
      onClose()
    } catch {
      // A toast has reported it.
      started.current = false
    }
  }
  return { start, isPending: begin.isPending }
}

/** The redirects themselves, each with what it does. */
function Changes({ summary: { added, changed, removed, first } }: { summary: RedirectPreview }) {
  const { t } = useTranslation('redirects')
  const all = {
    added: { count: added, items: first.added.map((after) => ({ before: null, after })) },
    changed: { count: changed, items: first.changed },
    removed: { count: removed, items: first.removed.map((after) => ({ before: null, after })) },
  }
  return (['added', 'changed', 'removed'] as const).map((part) => {
    const { count, items } = all[part]
    return count === 0 ? null : (
      <section className="column gap-4" key={part}>
        <h3 className="size-13 medium">{t(`plan.${part}`)}</h3>
        <Samples count={count} shown={items.length}>
          {items.map(({ before, after }) => (
            <li key={after.source}>
              <bdi className="mono anywhere">{displayAddress(after.source)}</bdi> → <Effect redirect={after} />
              {before === null ? null : (
                <span className="block muted">
                  {t('plan.before')} <Effect redirect={before} />
                </span>
              )}
            </li>
          ))}
        </Samples>
      </section>
    )
  })
}

function Effect({ redirect }: { redirect: Redirect }) {
  const { t } = useTranslation('redirects')
  return (
    <>
      <bdi className="mono anywhere">{displayAddress(redirect.target)}</bdi>{' '}
      <span className="muted">{[redirect.status, ...effectiveOptions(redirect).map((option) => t(`short.${option}`))].join(' · ')}</span>
    </>
  )
}

/** The hostnames that get a record, or would need one. */
function MissingRecords({ summary: { missingRecords }, records }: { summary: RedirectPreview; records: RecordsSwitch }) {
  const { t } = useTranslation('redirects')
  const { count, first } = missingRecords
  if (count === 0) return null
  return (
    <section className="column gap-4">
      <Checkbox
        label={t('plan.records.create', counted(count))}
        description={t('plan.records.hint')}
        checked={records.isOn}
        disabled={records.isPlanning}
        onChange={(event) => records.set(event.currentTarget.checked)}
      />
      {records.isOn ? (
        <Samples count={count} shown={first.length}>
          {first.map((host) => (
            <li key={host}>
              <bdi className="mono anywhere">{displayAddress(host)}</bdi>
            </li>
          ))}
        </Samples>
      ) : null}
    </section>
  )
}

function LineErrors({ summary: { lineErrors } }: { summary: RedirectPreview }) {
  const { t } = useTranslation(['redirects', 'faults'])
  if (lineErrors.count === 0) return null
  return (
    <WarningBox title={t('plan.line_errors.title', counted(lineErrors.count))}>
      <Samples count={lineErrors.count} shown={lineErrors.first.length}>
        {lineErrors.first.map(({ line, issue, firstLine }) => (
          <li key={line}>
            {t('plan.line', { line, reason: t(`faults:${issue}`) })}
            {firstLine === undefined ? null : ` ${t('plan.of_line', { line: firstLine })}`}
          </li>
        ))}
      </Samples>
    </WarningBox>
  )
}

function Finding({
  kind,
  count,
  children,
}: {
  kind: 'loops' | 'chains' | 'uncertain' | 'foreign' | 'unproxied' | 'unreadRecords' | 'dnsOnly'
  count: number
  children: ReactNode[]
}) {
  const { t } = useTranslation('redirects')
  if (count === 0) return null
  return (
    <WarningBox title={t(`plan.${kind}.title`, counted(count))}>
      {' '}
      {t(`plan.${kind}.text`)}
      <Samples count={count} shown={children.length}>
        {children}
      </Samples>
    </WarningBox>
  )
}

function Samples({ count, shown, children }: { count: number; shown: number; children: ReactNode }) {
  const { t } = useTranslation('redirects')
  return (
    <ul className={`block size-12 ${classes['samples']}`}>
      {children}
      {count > shown ? <li className="muted">{t('plan.more', counted(count - shown))}</li> : null}
    </ul>
  )
}
