import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { ChangeLine } from './change-line.tsx'
import { changesOf } from './item-changes.ts'
import { useChangeWords } from './use-change-words.ts'
import classes from './operations.module.css'

const shownAtFirst = 6

/** The changes of one domain from a plan; of many, the first few are shown and the rest on request. */
export function ChangeList({ domain, before, after }: { domain: string; before: unknown; after: unknown }) {
  const { t } = useTranslation(['operations', 'common'])
  const words = useChangeWords('')
  const [whole, setWhole] = useState(false)
  const changes = changesOf({ before, after })
  const shown = whole || changes.length <= shownAtFirst + 1 ? changes : changes.slice(0, shownAtFirst)
  return (
    <>
      <ul className="column gap-4">
        {shown.map((change, index) => (
          <li key={index}>
            <ChangeLine words={words(change, { domain, displayName: domain })} />
          </li>
        ))}
      </ul>
      {shown.length === changes.length ? null : (
        <button type="button" className={`bare self-start size-12 secondary pointer ${classes['more']}`} onClick={() => setWhole(true)}>
          {t('common:and_more', { formatted: formatNumber(changes.length - shown.length) })}
        </button>
      )}
    </>
  )
}
