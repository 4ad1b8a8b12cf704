import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { useItems } from './queries.ts'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

const shownAtMost = 5

/** Lists the names that could not be added and why, before the remaining steps of the others. */
export function CreationFailures({ operation: { id, failed } }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const { items } = useItems(id, { state: 'failed' })
  if (items.length === 0) return null
  return (
    <section className="primary radius on-bad p-8-10 size-13 column gap-4 mb-16" aria-label={t('failures.label')}>
      <strong className="semibold">{t('failures.title', counted(failed))}</strong>
      <ul className="column gap-2">
        {items.slice(0, shownAtMost).map((item) => {
          const { ours, theirs } = words.result(item)
          return (
            <li key={item.position} className="anywhere">
              <bdi className="mono">{item.displayName}</bdi>: {sentences(ours, theirs)}
            </li>
          )
        })}
      </ul>
      {failed > shownAtMost ? (
        <Link to="/operations/$id" params={{ id }} search={{ view: 'items', state: 'failed' }} className={`self-start ${classes['link']}`}>
          {t('failures.all', { formatted: formatNumber(failed) })}
        </Link>
      ) : null}
    </section>
  )
}
