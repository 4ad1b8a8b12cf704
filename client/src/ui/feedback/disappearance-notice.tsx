import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { mostConfirmations } from '#shared/features/sync/disappearances/schema.ts'
import type { Disappearance } from '#shared/features/sync/disappearances/schema.ts'
import { counted, formatNumber, formatTime } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'
import { ErrorState } from './error-state.tsx'
import { Skeleton } from './skeleton.tsx'
import classes from './disappearance-notice.module.css'

/** The delay before the next sync of the list. */
const nextListMs = 600_000

/** An account or a registrar. */
interface Subject {
  id: string
  name: string
  shared: SharedWithMe
  disappearance: Disappearance | null
}

interface Props {
  textOf: (key: 'title' | 'text' | 'confirmed' | 'disproved' | 'gone_text', params?: Readonly<Record<string, string | number>>) => string
  /** What is missing; domains can also be kept. */
  of?: 'domains' | 'records'
  /** Loaded on request. */
  List: ComponentType<{ id: string }>
  /** Shows its own error. */
  onDecide: (choice: { id: string; decision: 'keep' | 'gone' }) => Promise<unknown>
}

/** Those of which much suddenly disappeared from the provider's list: nothing is removed until a person confirms it. */
export function DisappearanceNotices({ subjects, ...props }: Props & { subjects: readonly Subject[] }) {
  return subjects.flatMap((subject) =>
    subject.disappearance === null || subject.disappearance.keptAt !== null
      ? []
      : [<Notice key={subject.id} subject={subject} disappearance={subject.disappearance} {...props} />],
  )
}

function Notice({
  subject: { id, name, shared },
  disappearance: { missing, known, sampled, stillThere, confirmations, foundAt, confirmedAt },
  textOf,
  of: kind = 'domains',
  List,
  onDecide,
}: Props & { subject: Subject; disappearance: Disappearance }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const amount = counted(missing)
  const isConfirmed = confirmations === mostConfirmations
  const lastList = Date.parse(confirmedAt ?? foundAt)
  const keep = (): void => {
    setBusy(true)
    void onDecide({ id, decision: 'keep' })
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
        {textOf(stillThere > 0 ? 'disproved' : isConfirmed ? 'confirmed' : 'text', {
          sampled: formatNumber(sampled),
          there: formatNumber(stillThere),
          time: formatTime(new Date(isConfirmed ? lastList : lastList + nextListMs).toISOString()),
        })}
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t(`missing.${kind}.which`)}</summary>
        {open ? <List id={id} /> : null}
      </details>
      {allows(shared, 'operate') ? (
        <div className="flex gap-8">
          {kind === 'domains' ? (
            <Button size="xs" variant="default" loading={busy} onClick={keep}>
              {t('missing.keep')}
            </Button>
          ) : null}
          <Button size="xs" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {t(`missing.${kind}.gone`)}
          </Button>
        </div>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={t(`missing.${kind}.gone_title`, amount)}
          consequence={textOf('gone_text')}
          action={t(`missing.${kind}.gone`)}
          count={missing}
          onConfirm={async () => {
            await onDecide({ id, decision: 'gone' })
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
