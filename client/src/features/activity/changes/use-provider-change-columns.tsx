import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { ReviewState, type Review } from './review.tsx'
import type { Change } from './search.ts'
import { actionTone, type ProviderChangeWords } from './use-provider-change-words.ts'

export function useProviderChangeColumns(words: ProviderChangeWords, review: Review): readonly DataColumn<Change>[] {
  const { t } = useTranslation('provider-changes')
  return useMemo(
    () => [
      { id: 'when', title: t('column.when'), width: 110, cell: ({ at }) => <RelativeTime at={at} /> },
      {
        id: 'author',
        title: t('column.author'),
        width: 200,
        cell: (change) => <bdi className="cut block shrink">{words.author(change)}</bdi>,
      },
      {
        id: 'action',
        title: t('column.action'),
        width: 160,
        cell: (change) => <StateBadge quiet tone={actionTone(change)} label={words.action(change)} />,
      },
      {
        id: 'domain',
        title: t('column.domain'),
        width: 170,
        minWidth: 120,
        hideable: false,
        cell: ({ domain }) => <DomainName domain={domain} />,
      },
      {
        id: 'what',
        title: t('column.what'),
        width: 170,
        minWidth: 140,
        grow: true,
        cell: (change) => <What change={change} words={words} />,
      },
      {
        id: 'review',
        title: t('column.review'),
        width: 110,
        cell: (change) => <ReviewState compact change={change} review={review} />,
      },
      { id: 'kind', title: t('column.kind'), width: 120, cell: ({ kind }) => words.kind(kind) },
      { id: 'via', title: t('column.via'), width: 130, cell: (change) => <span className="secondary">{words.via(change) ?? '—'}</span> },
      {
        id: 'account',
        title: t('column.account'),
        width: 150,
        cell: ({ account }) => <bdi className="cut block shrink">{account.name}</bdi>,
      },
      {
        id: 'address',
        title: t('column.address'),
        width: 130,
        hiddenAtFirst: true,
        cell: ({ actor }) => <span className="mono">{actor.address ?? '—'}</span>,
      },
    ],
    [t, words, review],
  )
}

/** A domain in the panel links to its history. */
export function DomainName({ domain }: { domain: Change['domain'] }) {
  if (domain === null) return '—'
  const name = (
    <bdi className="mono cut block shrink" title={domain.displayName}>
      {domain.displayName}
    </bdi>
  )
  return domain.id === null ? (
    name
  ) : (
    <Link to="/domains/$id/history" params={{ id: domain.id }} className="relative inherit shrink hover-accent hover-underline">
      {name}
    </Link>
  )
}

/** The changed object. The provider's product says more than the kinds that are not of a domain's own parts. */
export function What({ change, words }: { change: Change; words: ProviderChangeWords }) {
  const { subject, product, kind } = change
  const name = words.what(change)
  return (
    <span className="flex gap-8 baseline shrink">
      <bdi className={`cut block shrink ${subject === null && product === null ? '' : 'mono'}`} title={name}>
        {name}
      </bdi>
      {subject === null || product === null || (kind !== 'account' && kind !== 'other') ? null : (
        <span className="size-12 secondary mono fixed">{product}</span>
      )}
    </span>
  )
}
