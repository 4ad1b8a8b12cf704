import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import type { Entry } from './search.ts'
import { actionTones, type ActivityWords } from './use-activity-words.ts'
import classes from './activity.module.css'

export function useActivityColumns(words: ActivityWords, admin: boolean): readonly DataColumn<Entry>[] {
  const { t } = useTranslation('activity')
  return useMemo(
    () => [
      { id: 'when', title: t('column.when'), width: 110, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
      { id: 'who', title: t('column.who'), width: 160, cell: (entry) => <Who entry={entry} words={words} /> },
      {
        id: 'action',
        title: t('column.action'),
        width: 130,
        cell: ({ action }) => <StateBadge quiet tone={actionTones[action]} label={words.action(action)} />,
      },
      {
        id: 'what',
        title: t('column.what'),
        width: 240,
        minWidth: 160,
        hideable: false,
        cell: (entry) => <What entry={entry} words={words} />,
      },
      {
        id: 'details',
        title: t('column.details'),
        width: 165,
        minWidth: 160,
        grow: true,
        cell: (entry) => <Changes entry={entry} words={words} />,
      },
      ...(admin
        ? [
            {
              id: 'owner',
              title: t('column.owner'),
              width: 140,
              hiddenAtFirst: 'narrow' as const,
              cell: (entry: Entry) => <Owner entry={entry} words={words} />,
            },
          ]
        : []),
      {
        id: 'address',
        title: t('column.address'),
        width: 140,
        hiddenAtFirst: true,
        cell: ({ address }) => <span className="mono">{address ?? '—'}</span>,
      },
    ],
    [t, words, admin],
  )
}

/** The actor, and through what it acted. */
export function Who({ entry, words }: { entry: Entry; words: ActivityWords }) {
  const { t } = useTranslation('activity')
  const { kind, token } = entry.actor
  return (
    <span className={`flex gap-8 baseline shrink ${classes['pair']}`}>
      <Actor entry={entry} words={words} />
      {kind === 'token' ? (
        <span className={`size-12 secondary ${classes['quiet']}`}>
          {token === null ? t('by_some_token') : t('by_token', { name: token })}
        </span>
      ) : kind === 'operation' ? (
        entry.operation === null ? (
          <span className={`size-12 secondary ${classes['quiet']}`}>{t('by_operation')}</span>
        ) : (
          <Link
            to="/operations/$id"
            params={{ id: entry.operation.id }}
            className={`underlined relative size-12 secondary ${classes['link']}`}
            onClick={(event) => event.stopPropagation()}
          >
            {t('by_operation')}
          </Link>
        )
      ) : null}
    </span>
  )
}

/** The actor: a user, the panel, or unknown. */
export function Actor({ entry, words }: { entry: Entry; words: ActivityWords }) {
  const { id, name } = entry.actor
  return id === null ? <span className={classes['clip']}>{words.who(entry)}</span> : <PersonName label={name} />
}

/** The owner of the resource. */
export function Owner({ entry, words }: { entry: Entry; words: ActivityWords }) {
  const name = entry.owner?.name ?? null
  return name === null ? <span className={classes['clip']}>{words.owner(entry)}</span> : <PersonName label={name} />
}

/** The affected resource: a domain links to its timeline, an operation to its page. */
export function What({ entry, words }: { entry: Entry; words: ActivityWords }) {
  const name = words.what(entry)
  const entity = words.entity(entry.entityType)
  const text = (
    <bdi className={`${classes['clip']} ${entry.entityType === 'zone' ? 'mono' : ''}`} title={name}>
      {name}
    </bdi>
  )
  return (
    <span className={`flex gap-8 baseline shrink ${classes['pair']}`}>
      {entry.zoneId !== null ? (
        <Link
          to="/domains/$id/history"
          params={{ id: entry.zoneId }}
          className={`relative inherit ${classes['name']}`}
          onClick={(event) => event.stopPropagation()}
        >
          {text}
        </Link>
      ) : entry.entityType === 'operation' && entry.operation !== null ? (
        <Link
          to="/operations/$id"
          params={{ id: entry.operation.id }}
          className={`relative inherit ${classes['name']}`}
          onClick={(event) => event.stopPropagation()}
        >
          {text}
        </Link>
      ) : (
        text
      )}
      {/* A resource without a name is already described by its kind. */}
      {name === entity ? null : <span className={`size-12 secondary ${classes['quiet']}`}>{entity}</span>}
    </span>
  )
}

/** The first changes, in one line. */
export function Changes({ entry, words }: { entry: Entry; words: ActivityWords }) {
  const details = words.details(entry).slice(0, 4)
  return (
    <span className={`cut block secondary ${classes['changes']}`}>
      {details.map(({ label, from, to }) => (
        <span key={label} className={classes['part']}>
          <span className={`size-12 secondary ${classes['quiet']}`}>{label}:</span> {from === null ? to : `${from} → ${to}`}
        </span>
      ))}
    </span>
  )
}
