import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { mostConfirmations, nextListSeconds } from '#shared/features/sync/disappearances/confirmations.ts'
import type { Disappearance, DisappearanceDecision } from '#shared/features/sync/disappearances/schema.ts'
import { counted, formatDate, formatNumber, formatTime } from '#client/lib/format.ts'
import { ErrorState } from './error-state.tsx'
import { MissingNotice } from './missing-notice.tsx'
import { Skeleton } from './skeleton.tsx'
import classes from './disappearance-notice.module.css'

/** An account or a registrar. */
interface Subject {
  id: string
  name: string
  shared: SharedWithMe
  disappearance: Disappearance | null
}

interface Props {
  textOf: (
    key: 'title' | 'text' | 'confirmed' | 'disproved' | 'kept_text' | 'gone_text',
    params?: Readonly<Record<string, string | number>>,
  ) => string
  /** Loaded on request. */
  List: ComponentType<{ id: string }>
  /** Shows its own error. */
  onDecide: (choice: DisappearanceDecision) => Promise<unknown>
}

/** Those of which much suddenly disappeared from the provider's list: nothing is removed until a person confirms it. */
export function DisappearanceNotices({ subjects, ...props }: Props & { subjects: readonly Subject[] }) {
  return subjects.flatMap((subject) =>
    subject.disappearance === null ? [] : [<Notice key={subject.id} subject={subject} disappearance={subject.disappearance} {...props} />],
  )
}

function Notice({
  subject: { id, name, shared },
  disappearance: { missing, known, sampled, stillThere, confirmations, foundAt, confirmedAt, keptAt, keptBy },
  textOf,
  List,
  onDecide,
}: Props & { subject: Subject; disappearance: Disappearance }) {
  const { t } = useTranslation()
  const nextList = Date.parse(confirmedAt ?? foundAt) + nextListSeconds * 1_000
  const textKey = () => {
    if (keptAt !== null) return 'kept_text'
    if (stillThere > 0) return 'disproved'
    return confirmations === mostConfirmations ? 'confirmed' : 'text'
  }
  return (
    <MissingNotice
      texts="missing"
      title={textOf('title', { ...counted(missing), known: formatNumber(known), name })}
      text={textOf(textKey(), {
        by: keptBy ?? '',
        date: keptAt === null ? '' : formatDate(keptAt),
        sampled: formatNumber(sampled),
        there: formatNumber(stillThere),
        time: formatTime(new Date(nextList).toISOString()),
      })}
      which={t('missing.which')}
      consequence={textOf('gone_text')}
      list={() => <List id={id} />}
      missing={missing}
      isKept={keptAt !== null}
      canDecide={allows(shared, 'operate')}
      onDecide={(decision) => onDecide({ id, decision, shown: { foundAt, missing } })}
    />
  )
}

/** The first missing names, and the number of the others. */
export function MissingNames({
  found: { data, error, refetch },
}: {
  found: { data: { names: readonly string[]; missing: number } | undefined; error: unknown; refetch: () => unknown }
}) {
  const { t } = useTranslation()
  if (data === undefined) return error === null ? <Skeleton width="60%" /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const more = data.missing - data.names.length
  return (
    <ul className={`scroll-y size-12 ${classes['names']}`}>
      {data.names.map((name) => (
        <li key={name} className="mono">
          <bdi>{name}</bdi>
        </li>
      ))}
      {more > 0 ? <li>{t('and_more', counted(more))}</li> : null}
    </ul>
  )
}
