import { useTranslation } from 'react-i18next'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { kindOf } from '../history/field-changes.ts'
import { useChangeWords } from '../history/use-change-words.ts'
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

function Change({ entry }: { entry: ZoneChange }) {
  const { t } = useTranslation('zone')
  const words = useChangeWords()
  const kind = kindOf(entry)
  return (
    <li className={`grid baseline ${classes['change']}`}>
      <span className="cut" title={entry.label}>
        <span className={classes['sign']} data-kind={kind} aria-hidden>
          {kind === 'created' ? '+' : kind === 'deleted' ? '−' : '~'}
        </span>
        <span className="sr-only">{t(`changes.${kind}`)}</span>
        <span className={entry.subject === 'record' ? 'mono' : ''}>{words.title(entry)}</span>
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
