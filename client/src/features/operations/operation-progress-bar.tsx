import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { finishedItems } from './operation-progress.ts'
import classes from './operations.module.css'

const parts = ['done', 'skipped', 'cancelled', 'failed', 'waiting'] as const

/** The progress and the result of an operation in one bar. */
export function OperationProgressBar({ operation }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const finished = finishedItems(operation)
  return (
    <div
      className={`flex clip ${classes['bar']}`}
      role="progressbar"
      aria-label={t('page.progress')}
      aria-valuemin={0}
      aria-valuemax={operation.total}
      aria-valuenow={finished}
      aria-valuetext={t('list.of', { done: formatNumber(operation.done), total: formatNumber(operation.total) })}
    >
      {parts.map((part) => (operation[part] === 0 ? null : <span key={part} data-part={part} style={{ flexGrow: operation[part] }} />))}
      <span style={{ flexGrow: Math.max(0, operation.total - finished - operation.waiting) }} />
    </div>
  )
}
