import { useTranslation } from 'react-i18next'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { ChangeDiff } from './change-diff.tsx'
import { kindOf } from './field-changes.ts'
import type { Entry } from './queries.ts'
import { useChangeWords } from './use-change-words.ts'

const tones = { created: 'good', changed: 'info', deleted: 'warn' } as const

/** Entries with before and after, without author and time. */
export function EntryList({ label, entries }: { label: string; entries: readonly Entry[] }) {
  const { t } = useTranslation('history')
  const words = useChangeWords()
  return (
    <ul className="border-strong radius-8" aria-label={label}>
      {entries.map((entry) => {
        const kind = kindOf(entry)
        return (
          <li key={entry.id} className="column gap-2 divided p-10-12">
            <span className="flex wrap between gap-2-12 anywhere">
              <strong className={entry.subject === 'record' ? 'mono' : undefined}>{words.title(entry)}</strong>
              <span className="row gap-8">
                {entry.revertedById === null ? null : <span className="size-12 secondary">{t('reverted_mark')}</span>}
                <StateBadge quiet tone={tones[kind]} label={t(`kinds.${kind}`)} />
              </span>
            </span>
            <ChangeDiff change={entry} />
          </li>
        )
      })}
    </ul>
  )
}
