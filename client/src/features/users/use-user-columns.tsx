import { Link } from '@tanstack/react-router'
import { IconShieldCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { formatDateTime, formatNumber } from '#client/lib/format.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import links from '#client/ui/display/text-link.module.css'
import tags from '#client/ui/display/tag.module.css'
import classes from './users.module.css'

export function useUserColumns(): readonly DataColumn<ManagedUser>[] {
  const { t } = useTranslation('users')
  const own = auth.use().user?.id
  return useMemo(() => {
    const count = (id: 'accountsCount' | 'registrarsCount' | 'groupsCount', title: string): DataColumn<ManagedUser> => ({
      id,
      title,
      width: id === 'registrarsCount' ? 112 : 92,
      align: 'end',
      sortKey: id,
      hiddenAtFirst: id === 'groupsCount' || (id === 'registrarsCount' && 'narrow'),
      cell: (user) => <span className={user[id] === 0 ? 'muted' : undefined}>{formatNumber(user[id])}</span>,
    })
    return [
      {
        id: 'user',
        title: t('column.user'),
        width: 200,
        minWidth: 180,
        grow: true,
        hideable: false,
        sortKey: 'username',
        cell: ({ id, username, name, disabledAt }) => (
          <span className={`flex gap-8 baseline shrink ${classes['who']}`} title={[username, name].filter(Boolean).join('\n')}>
            <bdi className={classes['username']}>{username}</bdi>
            {name === null ? null : <bdi className={`${classes['fullName']} muted`}>{name}</bdi>}
            {id === own ? <span className={tags['tag']}>{t('you')}</span> : null}
            <DisabledTag disabledAt={disabledAt} />
          </span>
        ),
      },
      { id: 'email', title: t('column.email'), width: 160, sortKey: 'email', cell: ({ email }) => <bdi title={email}>{email}</bdi> },
      { id: 'role', title: t('column.role'), width: 120, sortKey: 'role', cell: ({ role }) => <UserRole role={role} /> },
      count('accountsCount', t('column.accounts')),
      count('registrarsCount', t('column.registrars')),
      {
        id: 'domains',
        title: t('column.domains'),
        width: 88,
        align: 'end',
        sortKey: 'domainsCount',
        cell: ({ id, username, domainsCount }) =>
          domainsCount === 0 ? (
            <span className="muted">0</span>
          ) : (
            <Link
              to="/domains"
              search={{ owner: id }}
              className={`underlined ${links['link']}`}
              aria-label={t('domains_of', { user: username, domains: formatNumber(domainsCount) })}
            >
              {formatNumber(domainsCount)}
            </Link>
          ),
      },
      count('groupsCount', t('column.groups')),
      { id: 'secured', title: t('column.secured'), width: 124, sortKey: 'secured', cell: ({ secured }) => <Secured secured={secured} /> },
      {
        id: 'seen',
        title: t('column.seen'),
        width: 120,
        hiddenAtFirst: true,
        sortKey: 'lastSeenAt',
        cell: ({ lastSeenAt }) => (
          <span className="muted">{lastSeenAt === null ? t('not_signed_in') : <RelativeTime at={lastSeenAt} />}</span>
        ),
      },
      {
        id: 'created',
        title: t('column.created'),
        width: 104,
        hiddenAtFirst: 'narrow',
        sortKey: 'createdAt',
        cell: ({ createdAt }) => (
          <span className="muted">
            <RelativeTime at={createdAt} />
          </span>
        ),
      },
    ]
  }, [t, own])
}

export function DisabledTag({ disabledAt }: Pick<ManagedUser, 'disabledAt'>) {
  const { t } = useTranslation('users')
  return disabledAt === null ? null : (
    <span className={tags['tag']} data-tone="warn" title={t('state.since', { when: formatDateTime(disabledAt) })}>
      {t('state.disabled')}
    </span>
  )
}

export function UserRole({ role }: Pick<ManagedUser, 'role'>) {
  const { t } = useTranslation('users')
  return (
    <span className={classes['role']} data-role={role}>
      {t(`role.${role}`)}
    </span>
  )
}

function Secured({ secured }: Pick<ManagedUser, 'secured'>) {
  const { t } = useTranslation('users')
  return secured ? (
    <span className={`inline gap-5 ${classes['secured']}`}>
      <IconShieldCheck size={15} stroke={1.8} aria-hidden />
      {t('secured.yes')}
    </span>
  ) : (
    <span className="muted">{t('secured.no')}</span>
  )
}
