import { SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Registrar, RegistrarNameView } from '#shared/features/registrars/schema.ts'
import { counted } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CopyButton } from '#client/ui/display/copy-button.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { ExpiryMark } from './expiry-mark.tsx'
import classes from './registrars.module.css'

/** The names at an API registrar with their expiry dates; those without a domain in the panel are marked (R-BUY-04). */
export function RegistrarNamesDialog({ registrar, onClose }: { registrar: Registrar; onClose: () => void }) {
  const { t } = useTranslation(['registrars', 'common'])
  const [search, setSearch] = useState('')
  const [which, setWhich] = useState<'all' | 'bound' | 'unbound'>('all')
  const list = trpc.registrars.names.useInfiniteQuery(
    {
      registrarId: registrar.id,
      limit: 100,
      ...(search === '' ? {} : { search }),
      ...(which === 'all' ? {} : { which }),
    },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const names = list.data?.pages.flatMap((page) => page.names)
  const total = list.data?.pages[0]?.total
  return (
    <Dialog
      onClose={onClose}
      size={640}
      title={`${registrar.name} · ${t('common:domains', counted(registrar.namesCount))}`}
      styles={{ title: { overflow: 'hidden', textOverflow: 'ellipsis' } }}
    >
      <div className={`row wrap gap-8 ${classes['namesTools']}`}>
        <SearchInput value={search} onChange={setSearch} label={t('names.search')} busy={list.isFetching} />
        <SegmentedControl
          aria-label={t('names.which')}
          value={which}
          onChange={setWhich}
          data={[
            { value: 'all', label: t('names.all') },
            { value: 'bound', label: t('names.bound') },
            { value: 'unbound', label: t('names.unbound') },
          ]}
        />
      </div>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <div
          className={`column framed scroll ${classes['names']}`}
          role="list"
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            if (scrollHeight - scrollTop - clientHeight < 400 && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
          }}
        >
          {names === undefined
            ? Array.from({ length: 10 }, (_, index) => (
                <span key={index} className="row gap-8 fixed size-13 divided hover h-36 p-0-12">
                  <Skeleton width={`${40 + ((index * 13) % 40)}%`} />
                </span>
              ))
            : names.map((name) => <NameRow key={name.id} name={name} onLeave={onClose} />)}
          {names?.length === 0 ? (
            <p className={`size-13 muted ${classes['namesEmpty']}`}>{t(search === '' ? 'names.empty' : 'names.none_match')}</p>
          ) : null}
        </div>
      )}
      <p className={`size-12 muted ${classes['help']}`} role="status">
        {total === undefined ? '' : t('common:domains', counted(total))}
      </p>
    </Dialog>
  )
}

function NameRow({ name, onLeave }: { name: RegistrarNameView; onLeave: () => void }) {
  const { t } = useTranslation('registrars')
  const { displayName, expiresAt, autoRenew, locked, zoneId: domainId } = name
  const marks = [
    autoRenew === true ? t('names.auto_renew') : autoRenew === false ? t('names.no_renew') : null,
    locked === true ? t('names.locked') : null,
  ]
  return (
    <div className="row gap-8 fixed size-13 divided hover h-36 p-0-12" role="listitem">
      {domainId === null ? (
        <bdi className={`${classes['grow']} mono`} title={displayName}>
          {displayName}
        </bdi>
      ) : (
        <Link to="/domains/$id" params={{ id: domainId }} className={`${classes['grow']} mono`} title={displayName} onClick={onLeave}>
          <bdi>{displayName}</bdi>
        </Link>
      )}
      <CopyButton text={displayName} />
      {domainId === null ? (
        <span className={`fixed size-11 line-16 secondary border-strong ${classes['tag']}`}>{t('names.no_zone')}</span>
      ) : null}
      <span className={`cut grow shrink size-12 muted text-end ${classes['nameMarks']}`}>{marks.filter(Boolean).join(' · ')}</span>
      <ExpiryMark expiresAt={expiresAt} />
    </div>
  )
}
