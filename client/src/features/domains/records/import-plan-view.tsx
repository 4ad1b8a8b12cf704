import { useVirtualizer } from '@tanstack/react-virtual'
import { type HTMLAttributes, type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportPlan } from '#shared/features/domains/records/schema.ts'
import { zoneFileProblems } from '#shared/features/domains/records/parse-zone-file.ts'
import { issueText } from '#client/lib/errors.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { joinFacts } from '#client/lib/text.ts'
import { autoTtl, labelOf } from './record-draft.ts'
import { useTtlWords } from './use-ttl-words.ts'
import { ScrollRegion } from '#client/ui/layout/scroll-region.tsx'
import classes from './import-dialog.module.css'

const parts = ['added', 'changed', 'deleted', 'refused'] as const
type Part = (typeof parts)[number]

const countsOf = (plan: ImportPlan): Record<Part, number> => ({
  added: plan.addedCount,
  changed: plan.changedCount,
  deleted: plan.deletedCount,
  refused: plan.refusedCount,
})

interface Line {
  number: number | null
  type: string
  name: string
  before: string | null
  text: string
  note: string
}

const rowHeight = { one: 30, two: 50 } as const

/** The preview of an import: totals, and the first lines of each kind of change. */
export function ImportPlanView({ plan, zone }: { plan: ImportPlan; zone: { name: string } }) {
  const { t } = useTranslation('records')
  const counts = countsOf(plan)
  const [part, setPart] = useState<Part>(() => parts.find((each) => plan[each].length > 0) ?? 'added')
  const scroller = useRef<HTMLDivElement>(null)

  const lines = usePlanLines(plan, part, zone.name)
  const height = part === 'changed' || part === 'refused' ? rowHeight.two : rowHeight.one
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
  })
  const choose = (next: Part): void => {
    setPart(next)
    scroller.current?.scrollTo({ top: 0 })
    virtual.measure()
  }
  return (
    <div className="column gap-14 shrink size-13">
      {plan.full === null ? null : (
        <p className="primary radius on-warn p-8-10" role="alert">
          {t('import.full', {
            count: plan.full.excess,
            formatted: formatNumber(plan.full.excess),
            quota: formatNumber(plan.full.quota),
          })}
        </p>
      )}
      <div className={`grid gap-8 ${classes['parts']}`} role="group" aria-label={t('import.plan')}>
        {parts.map((each) => (
          <button
            key={each}
            type="button"
            className={classes['part']}
            aria-pressed={part === each}
            data-part={each}
            disabled={plan[each].length === 0}
            onClick={() => choose(each)}
          >
            <strong className="semibold primary">{formatNumber(counts[each])}</strong>
            <span>{t(`import.part.${each}`)}</span>
          </button>
        ))}
        <div className={classes['part']} data-quiet>
          <strong className="semibold primary">{formatNumber(plan.unchanged)}</strong>
          <span>{t('import.part.unchanged')}</span>
        </div>
      </div>
      {lines.length === 0 ? (
        <p className="size-12 muted">{t('import.same')}</p>
      ) : (
        <ScrollRegion ref={scroller} className={`scroll border radius-8 ${classes['lines']}`} label={t(`import.part.${part}`)}>
          <div role="list" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const line = lines[index]
              return line === undefined ? null : (
                <PlanLine
                  key={index}
                  line={line}
                  isRefused={part === 'refused'}
                  aria-setsize={counts[part]}
                  aria-posinset={index + 1}
                  style={{ height, transform: `translateY(${start}px)` }}
                />
              )
            })}
          </div>
        </ScrollRegion>
      )}
      {counts[part] > lines.length ? (
        <p className="size-12 muted">{t('import.first', { shown: formatNumber(lines.length), formatted: formatNumber(counts[part]) })}</p>
      ) : null}
      <p className="size-12 muted">{t('import.calls', counted(plan.calls))}</p>
    </div>
  )
}

/** The changes of one kind, one line each. */
function usePlanLines(plan: ImportPlan, part: Part, zoneName: string): Line[] {
  const { t } = useTranslation('records')
  const ttlWords = useTtlWords()
  return useMemo((): Line[] => {
    const show = (record: {
      content: string
      ttl?: number | undefined
      proxied?: boolean | undefined
      priority?: number | null | undefined
    }) => [record.priority ?? null, record.content].filter((each) => each !== null).join(' ')
    const noteOf = (record: { ttl?: number | undefined; proxied?: boolean | undefined }): string =>
      joinFacts(record.proxied === true ? t('proxied') : null, ttlWords(record.ttl ?? autoTtl))
    const reasonOf = (code: string, problem: ImportPlan['refused'][number]['problem']): string => {
      const known = zoneFileProblems.find((each) => each === code)
      return [
        known === undefined ? code : t(`zone_file.problems.${known}`),
        problem && issueText({ path: problem.field, message: problem.code, params: problem.params }),
      ]
        .filter(Boolean)
        .join('. ')
    }
    const lineOf = (record: ImportPlan['added'][number] | ImportPlan['deleted'][number], number: number | null): Line => ({
      number,
      type: record.type,
      name: labelOf(record.name, zoneName),
      before: null,
      text: show(record),
      note: noteOf(record),
    })
    switch (part) {
      case 'added':
        return plan.added.map((record) => lineOf(record, record.line))
      case 'deleted':
        return plan.deleted.map((record) => lineOf(record, null))
      case 'changed':
        return plan.changed.map(({ line, before, after }) => ({
          ...lineOf({ ...after, line }, line),
          before: joinFacts(show(before), noteOf(before)),
          text: joinFacts(show(after), noteOf(after)),
          note: '',
        }))
      case 'refused':
        return plan.refused.map(({ line, text, code, problem }) => ({
          number: line,
          type: '',
          name: '',
          before: null,
          text,
          note: reasonOf(code, problem),
        }))
    }
  }, [plan, part, zoneName, t, ttlWords])
}

function PlanLine({ line, isRefused, ...rest }: { line: Line; isRefused: boolean } & HTMLAttributes<HTMLDivElement>) {
  const { t } = useTranslation('records')
  return (
    <div {...rest} role="listitem" className={`row gap-12 full line-bottom ${classes['line']}`}>
      <span
        className={`muted text-end ${classes['number']}`}
        title={line.number === null ? undefined : t('import.line', { line: line.number })}
      >
        {line.number}
      </span>
      {isRefused ? (
        <LineText above={<span className={classes['reason']}>{line.note}</span>} text={line.text} />
      ) : (
        <>
          <span className={classes['type']}>{line.type}</span>
          <bdi className={`cut ${classes['name']}`} title={line.name}>
            {line.name}
          </bdi>
          <LineText above={line.before === null ? null : <del>{line.before}</del>} text={line.text} />
          <span className={`fixed muted ${classes['note']}`}>{line.note}</span>
        </>
      )}
    </div>
  )
}

function LineText({ above, text }: { above: ReactNode; text: string }) {
  return (
    <span className={`column shrink ${classes['text']}`} title={text}>
      {above}
      <bdi dir="ltr">{text}</bdi>
    </span>
  )
}
