import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainSort, DomainTraffic, ListedDomain } from '#shared/features/domains/schema.ts'
import { trackerNameOf } from '#shared/features/trackers/names.ts'
import { formatBytes, formatDate, formatNumber, formatShare, formatShort } from '#client/lib/format.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { useMedia } from '#client/ui/layout/use-media.ts'
import { AccountCell, GroupCell, MomentCell, NameCell, OriginsCell, StateCell, StatusCell, TrendCell, Unread } from './domain-cells.tsx'
import { healthTone, originCertificateTone, paidTone, useDomainWords } from '../use-domain-words.ts'

type Column = DataColumn<ListedDomain> & { sortKey?: DomainSort['by'] }

/** The columns of the list. `ownerName` is for administrators who see several owners; groups are shown once there are any. */
export function useDomainColumns(ownerName: ((ownerId: string) => string) | null, grouped: boolean): readonly Column[] {
  const { t } = useTranslation('domains')
  const words = useDomainWords()
  // One more column must still fit the width of a laptop.
  const tight = ownerName !== null
  const wide = useMedia('(min-width: 1600px)')
  const roomy = useMedia('(min-width: 1800px)')
  return useMemo(
    (): readonly Column[] => [
      {
        id: 'name',
        title: t('columns.name'),
        width: tight ? 212 : grouped ? 248 : 256,
        minWidth: 180,
        grow: true,
        hideable: false,
        sortKey: 'name',
        cell: (domain) => <NameCell domain={domain} />,
      },
      {
        id: 'status',
        title: t('columns.status'),
        width: 96,
        sortKey: 'status',
        // Its dot is already shown before the name.
        cell: (domain) => <StatusCell word={words.status(domain)} />,
      },
      {
        id: 'account',
        title: t('columns.account'),
        width: tight ? 112 : 120,
        minWidth: 96,
        grow: true,
        sortKey: 'account',
        cell: ({ account }) => <AccountCell account={account} />,
      },
      ...(ownerName === null
        ? []
        : [
            {
              id: 'owner',
              title: t('columns.owner'),
              width: 96,
              cell: ({ ownerId }: ListedDomain) => <PersonName label={ownerName(ownerId)} />,
            },
          ]),
      ...(grouped
        ? [
            {
              id: 'group',
              title: t('columns.group'),
              width: tight ? 88 : 104,
              hiddenAtFirst: 'narrow' as const,
              cell: ({ group }: ListedDomain) => <GroupCell group={group} />,
            },
          ]
        : []),
      ...settingColumns(t, words),
      ...protectionColumns(t, words),
      ...registrationColumns(t),
      { id: 'origins', title: t('columns.origins'), width: tight ? 118 : 130, cell: (domain) => <OriginsCell {...domain} /> },
      {
        id: 'records',
        title: t('columns.records'),
        width: 92,
        hiddenAtFirst: 'narrow',
        align: 'end',
        sortKey: 'recordsCount',
        cell: ({ recordsCount }) => (recordsCount === null ? <Unread /> : formatNumber(recordsCount)),
      },
      ...trafficColumns(t),
      {
        id: 'health',
        title: t('columns.health'),
        width: 142,
        sortKey: 'health',
        hiddenAtFirst: !roomy,
        cell: ({ health }) => <StateCell tone={healthTone[health]} word={words.health(health)} />,
      },
      {
        id: 'tracker',
        title: t('columns.tracker'),
        width: 100,
        hiddenAtFirst: true,
        cell: ({ trackerType }) => (trackerType === null ? null : trackerNameOf(trackerType)),
      },
      {
        id: 'created',
        title: t('columns.created'),
        width: 118,
        sortKey: 'createdAt',
        hiddenAtFirst: true,
        cell: ({ createdAt }) => <MomentCell moment={createdAt} />,
      },
      {
        id: 'updated',
        title: t('columns.updated'),
        width: 118,
        sortKey: 'updatedAt',
        hiddenAtFirst: !wide && (tight || grouped),
        cell: ({ updatedAt }) => <MomentCell moment={updatedAt} relative />,
      },
    ],
    [t, words, ownerName, grouped, tight, wide, roomy],
  )
}

const settingColumns = (t: TFunction<'domains'>, words: ReturnType<typeof useDomainWords>): readonly Column[] => [
  {
    id: 'ssl',
    title: t('columns.ssl'),
    width: 96,
    sortKey: 'sslMode',
    cell: ({ sslMode }) => (sslMode === null ? <Unread /> : words.ssl(sslMode)),
  },
  { id: 'tls', title: t('columns.tls'), width: 80, hiddenAtFirst: true, cell: ({ tlsMin }) => tlsMin ?? <Unread /> },
  {
    id: 'https',
    title: t('columns.https'),
    width: 84,
    hiddenAtFirst: true,
    cell: ({ https }) => (https === null ? <Unread /> : t(https ? 'yes' : 'no')),
  },
  {
    id: 'level',
    title: t('columns.level'),
    width: 124,
    sortKey: 'securityLevel',
    hiddenAtFirst: true,
    cell: ({ securityLevel }) => (securityLevel === null ? <Unread /> : words.level(securityLevel)),
  },
]

/** What Cloudflare does with bots and AI crawlers, DNSSEC, and the certificates of Origin CA. */
const protectionColumns = (t: TFunction<'domains'>, words: ReturnType<typeof useDomainWords>): readonly Column[] => {
  const flag = (id: 'botFightMode' | 'aiLabyrinth' | 'managedRobotsTxt', title: string, width: number): Column => ({
    id,
    title,
    width,
    hiddenAtFirst: true,
    cell: ({ [id]: on }) => (on === null ? <Unread /> : t(on ? 'yes' : 'no')),
  })
  return [
    flag('botFightMode', t('columns.bot_fight_mode'), 124),
    {
      id: 'aiBots',
      title: t('columns.ai_bots'),
      width: 150,
      hiddenAtFirst: true,
      cell: ({ aiBots }) => (aiBots === null ? <Unread /> : <span className="cut">{words.aiBots(aiBots)}</span>),
    },
    flag('aiLabyrinth', t('columns.ai_labyrinth'), 104),
    flag('managedRobotsTxt', t('columns.managed_robots_txt'), 148),
    {
      id: 'dnssec',
      title: t('columns.dnssec'),
      width: 130,
      hiddenAtFirst: true,
      cell: ({ dnssecStatus }) => (dnssecStatus === null ? <Unread /> : <StateCell {...words.dnssec(dnssecStatus)} />),
    },
    {
      id: 'originCertificate',
      title: t('columns.origin_certificate'),
      width: 230,
      hiddenAtFirst: true,
      cell: ({ originCertificate: state, originCertificateExpiresAt: expiresAt }) =>
        state === null ? (
          <Unread />
        ) : (
          <StateCell
            tone={originCertificateTone[state]}
            word={
              expiresAt === null
                ? words.originCertificate(state)
                : state === 'valid'
                  ? formatDate(expiresAt)
                  : `${words.originCertificate(state)} · ${formatDate(expiresAt)}`
            }
          />
        ),
    },
  ]
}

/** What a domain was asked for in the last 30 days. */
const trafficColumns = (t: TFunction<'domains'>): readonly Column[] => {
  const amount = (id: string, title: string, width: number, shown: (traffic: DomainTraffic) => string): Column => ({
    id,
    title,
    width,
    hiddenAtFirst: true,
    align: 'end',
    cell: ({ traffic }) => (traffic === null ? <Unread /> : shown(traffic)),
  })
  const share = (errors: number, { requests }: DomainTraffic): string => (requests === 0 ? '—' : formatShare(errors / requests, 1))
  return [
    { ...amount('requests', t('columns.requests'), 118, ({ requests }) => formatShort(requests)), sortKey: 'requests' },
    {
      id: 'trend',
      title: t('columns.trend'),
      width: 140,
      hiddenAtFirst: true,
      cell: ({ traffic }) => (traffic === null ? <Unread /> : <TrendCell trend={traffic.trend} />),
    },
    amount('bytes', t('columns.bytes'), 108, ({ bytes }) => formatBytes(bytes)),
    amount('threats', t('columns.threats'), 96, ({ threats }) => formatShort(threats)),
    amount('clientErrors', t('columns.client_errors'), 110, (traffic) => share(traffic.clientErrors, traffic)),
    amount('serverErrors', t('columns.server_errors'), 110, (traffic) => share(traffic.serverErrors, traffic)),
  ]
}

const registrationColumns = (t: TFunction<'domains'>): readonly Column[] => [
  {
    id: 'registrar',
    title: t('columns.registrar'),
    width: 130,
    hiddenAtFirst: true,
    cell: ({ registrar }) => (registrar === null ? null : <bdi>{registrar.name}</bdi>),
  },
  {
    id: 'paid',
    title: t('columns.paid_until'),
    width: 130,
    sortKey: 'paidUntil',
    hiddenAtFirst: true,
    cell: ({ paidUntil }) => (paidUntil === null ? null : <StateCell tone={paidTone(paidUntil)} word={formatDate(paidUntil)} />),
  },
]
