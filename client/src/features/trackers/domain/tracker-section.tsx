import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllowed, useLock } from '#client/features/sharing/index.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import type { DomainTracker } from '#shared/features/trackers/schema.ts'
import { trackerNames } from '#shared/features/trackers/names.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { formatDate } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { TrackerMark } from '../tracker-mark.tsx'
import { useManagedTrackers } from '../queries.ts'
import classes from '../trackers.module.css'

type Binding = NonNullable<DomainTracker['binding']>

/** The tracker binding of a domain and the tracker's result, with actions to bind and unbind (R-TRK-03). */
export function TrackerSection({
  id,
  ownerId,
  lock,
  waiting,
  head,
  onBind,
  onUnbind,
}: {
  id: string
  ownerId: string
  /** Why it is read-only; null: it is not. */
  lock: string | null
  /** A placeholder of the same height while loading; null if the section may stay hidden. */
  waiting: ReactNode
  /** Renders the section around its data. */
  head: (title: string, facts: ReactNode) => ReactNode
  onBind: () => void
  onUnbind: () => void
}) {
  const { t } = useTranslation('trackers')
  const seen = useManagedTrackers(ownerId, 'view')
  // A user without access to any tracker of the owner may not request them.
  const asks = useAllowed('own') || (seen ?? []).length > 0
  const found = trpc.trackers.ofDomain.useQuery({ id }, { enabled: asks, meta: { failure: false } })
  useLiveQueries('trackers')
  const binding = found.data?.binding
  const trackers = seen?.filter(({ shared }) => allows(shared, 'operate'))
  const ofTracker = useLock(seen?.find((each) => each.id === binding?.tracker.id)?.shared ?? null)('operate')
  // Hidden without a tracker and a binding. A placeholder that would disappear again is not shown.
  if ((!asks && seen !== undefined) || found.isError || (binding === null && (trackers ?? []).length === 0)) return null
  if (binding === undefined) return waiting
  return head(
    t('section.title'),
    binding === null ? (
      <>
        <p className="muted">{t('section.unbound')}</p>
        <Buttons lock={lock}>
          <Button variant="default" size="xs" disabled={lock !== null} onClick={onBind}>
            {t('section.bind')}
          </Button>
        </Buttons>
      </>
    ) : (
      <>
        <Bound binding={binding} />
        <BoundButtons id={id} binding={binding} lock={lock ?? ofTracker} onUnbind={onUnbind} />
      </>
    ),
  )
}

function Buttons({ lock, children }: { lock: string | null; children: ReactNode }) {
  return (
    <div className={`flex wrap gap-8 ${classes['sectionButtons']}`} title={lock ?? undefined}>
      {children}
    </div>
  )
}

function BoundButtons({
  id,
  binding: { tracker },
  lock,
  onUnbind,
}: {
  id: string
  binding: Binding
  lock: string | null
  onUnbind: () => void
}) {
  const { t } = useTranslation('trackers')
  const able = trpc.trackers.choices.useQuery({ id: tracker.id }, { enabled: tracker.enabled && lock === null, meta: { failure: false } })
    .data?.able
  const check = trpc.trackers.check.useMutation({
    meta: { failure: t('section.failed_check') },
    trpc: { context: { unbatched: true } },
    onSuccess: ({ binding: after }) => {
      void refresh('trackers')
      const problem = after?.domain?.problem ?? after?.domain?.sslProblem ?? null
      if (problem === null) toast.success(t('section.checked'))
      else toast.warning(t('section.still_wrong'), problem)
    },
  })
  const off = lock ?? (tracker.enabled ? null : t('state.off_hint'))
  return (
    <Buttons lock={off}>
      {able?.check === false ? null : (
        <Button variant="default" size="xs" disabled={off !== null} loading={check.isPending} onClick={() => check.mutate({ id })}>
          {t('section.check')}
        </Button>
      )}
      {tracker.url === null ? null : (
        <Button
          variant="default"
          size="xs"
          rightSection={<IconExternalLink size={13} stroke={1.7} aria-hidden />}
          component="a"
          href={tracker.url}
          target="_blank"
          rel="noreferrer noopener"
        >
          {t('section.open')}
        </Button>
      )}
      <Button variant="subtle" color="red" size="xs" disabled={lock !== null} onClick={onUnbind}>
        {t('section.unbind')}
      </Button>
    </Buttons>
  )
}

/** Facts, one per line; a problem includes the tracker's own advice. */
function Bound({ binding: { tracker, domain, pending, boundAt } }: { binding: Binding }) {
  const { t } = useTranslation('trackers')
  const wrong = domain?.problem ?? null
  const gone = domain !== null && (domain.gone || domain.archived)
  const named = (one: { id: string; name: string | null } | null | undefined) => (one ? (one.name ?? one.id) : null)
  const facts = [
    { label: t('fact.campaign'), value: named(domain?.campaign) },
    { label: t('fact.group'), value: named(domain?.group) },
    { label: t('fact.ssl_redirect'), value: domain?.sslRedirect == null ? null : t(domain.sslRedirect ? 'yes' : 'no') },
    { label: t('fact.bound'), value: formatDate(boundAt) },
  ]
  return (
    <dl className="facts">
      <dt>{t('column.tracker')}</dt>
      <dd>
        <span className="row gap-8 shrink">
          <TrackerMark kind={tracker.kind} />
          <bdi className="cut shrink">
            {tracker.name === trackerNames[tracker.kind] ? tracker.name : `${tracker.name} · ${trackerNames[tracker.kind]}`}
          </bdi>
        </span>
      </dd>
      <dt>{t('fact.state')}</dt>
      <dd>
        {pending ? (
          <StateBadge quiet pulse tone="info" label={t('section.pending')} />
        ) : gone ? (
          <StateBadge quiet tone="bad" label={t('differs.gone_there')} />
        ) : wrong !== null ? (
          <StateBadge quiet tone="bad" label={t('differs.check_error')} />
        ) : domain?.sslProblem != null ? (
          <StateBadge quiet tone="warn" label={t('differs.ssl_error')} />
        ) : domain === null ? (
          <StateBadge quiet tone="idle" label={t('section.unlisted')} />
        ) : (
          <StateBadge quiet tone="good" label={t('section.sound')} />
        )}
      </dd>
      {wrong === null && domain?.sslProblem == null ? null : (
        <>
          <dt>{t('column.said')}</dt>
          <dd className={`column gap-2 shrink anywhere ${classes['said']}`}>
            {[wrong, domain?.sslProblem ?? null].map((words) => (words === null ? null : <strong key={words}>{words}</strong>))}
            {domain?.solution == null ? null : <span>{domain.solution}</span>}
          </dd>
        </>
      )}
      {facts.map(({ label, value }) =>
        value === null ? null : (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}
