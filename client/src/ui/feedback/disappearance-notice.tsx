import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { mostConfirmations, nextListSeconds } from '#shared/features/sync/disappearances/confirmations.ts'
import type { Disappearance, DisappearanceDecision } from '#shared/features/sync/disappearances/schema.ts'
import { counted, formatDate, formatNumber, formatTime } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'
import { ErrorState } from './error-state.tsx'
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
  const [asking, setAsking] = useState(false)
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const amount = counted(missing)
  const nextList = Date.parse(confirmedAt ?? foundAt) + nextListSeconds * 1_000
  const shown = { foundAt, missing }
  const textKey = () => {
    if (keptAt !== null) return 'kept_text'
    if (stillThere > 0) return 'disproved'
    return confirmations === mostConfirmations ? 'confirmed' : 'text'
  }
  const keep = (): void => {
    setBusy(true)
    void onDecide({ id, decision: 'keep', shown })
      .then(() => toast.success(t('missing.kept', amount)))
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return (
    <div className={`card grid gap-8 size-13 secondary ${classes['notice']}`} role="status">
      <p>
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
        <strong>{textOf('title', { ...amount, known: formatNumber(known), name })}</strong>
      </p>
      <p>
        {textOf(textKey(), {
          by: keptBy ?? '',
          date: keptAt === null ? '' : formatDate(keptAt),
          sampled: formatNumber(sampled),
          there: formatNumber(stillThere),
          time: formatTime(new Date(nextList).toISOString()),
        })}
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('missing.which')}</summary>
        {open ? <List id={id} /> : null}
      </details>
      {allows(shared, 'operate') ? (
        <div className="flex gap-8">
          {keptAt === null ? (
            <Button size="xs" variant="default" loading={busy} onClick={keep}>
              {t('missing.keep')}
            </Button>
          ) : null}
          <Button size="xs" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {t('missing.gone')}
          </Button>
        </div>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={t('missing.gone_title', amount)}
          consequence={textOf('gone_text')}
          action={t('missing.gone')}
          count={missing}
          onConfirm={async () => {
            await onDecide({ id, decision: 'gone', shown })
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
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
