import { useTranslation } from 'react-i18next'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { MoreLink, Section } from './section.tsx'
import classes from './recent-changes.module.css'

type ZoneChange = Outputs['history']['list']['entries'][number]

const shown = 5

/** The latest changes by anyone. */
export function RecentChanges({ id }: { id: string }) {
  const { t } = useTranslation('zone')
  const changes = trpc.history.list.useQuery({ id, limit: shown })
  useLiveQueries('history')
  const entries = changes.data?.entries ?? []
  return (
    <Section
      title={t('changes.title')}
      note={
        <MoreLink to="/domains/$id/history" id={id}>
          {t('changes.all')}
        </MoreLink>
      }
    >
      {changes.isPending ? (
        <Skeleton width="70%" />
      ) : changes.isError && entries.length === 0 ? (
        <p className="muted">{t('changes.failed')}</p>
      ) : entries.length === 0 ? (
        <p className="muted">{t('changes.none')}</p>
      ) : (
        <ol className="column gap-8">
          {entries.map((entry) => (
            <Change key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </Section>
  )
}

const kindOf = ({ before, after }: ZoneChange) => (before == null ? 'created' : after == null ? 'deleted' : 'changed')

function Change({ entry }: { entry: ZoneChange }) {
  const { t } = useTranslation('zone')
  const label = useChangeLabel()
  const kind = entry.subject === 'record' ? kindOf(entry) : 'changed'
  return (
    <li className={`grid baseline ${classes['change']}`}>
      <span className="cut" title={entry.label}>
        <span className={classes['sign']} data-kind={kind} aria-hidden>
          {kind === 'created' ? '+' : kind === 'deleted' ? '−' : '~'}
        </span>
        <span className="sr-only">{t(`changes.${kind}`)}</span>
        {entry.subject === 'record' ? <span className="mono">{entry.label}</span> : label(entry)}
      </span>
      <span className={`cut size-12 muted ${classes['who']}`}>
        {entry.source === 'outside' ? t('changes.outside') : entry.actor === null ? null : <PersonName label={entry.actor.name} />}
        {entry.source === 'revert' ? ` · ${t('changes.revert')}` : ''}
      </span>
      <span className="size-12 muted nowrap">
        <RelativeTime at={entry.at} />
      </span>
    </li>
  )
}

/** Settings with the labels of the page; others with their own. */
function useChangeLabel(): (entry: ZoneChange) => string {
  const { t } = useTranslation(['zone', 'domains'])
  const names: Record<string, string> = {
    ssl: t('domains:details.ssl'),
    min_tls_version: t('domains:details.tls'),
    always_use_https: t('domains:details.https'),
    security_header: t('domains:details.hsts'),
    hsts: t('domains:details.hsts'),
    security_level: t('domains:details.level'),
    development_mode: t('domains:details.development'),
    universal_ssl: t('certificates.universal'),
    group: t('domains:details.group'),
    profile: t('profile.title'),
    registrar: t('domains:details.registrar'),
    tracker: t('basics.tracker'),
    paused: t('cloudflare.paused'),
  }
  return ({ key, label }) => names[key] ?? label
}
