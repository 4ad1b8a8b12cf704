import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { counted } from '#client/lib/format.ts'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { GroupMark } from './group-mark.tsx'
import { PickList, selectedAfter, useFoundDomains } from './pick-list.tsx'
import { useGroupActions } from './mutations.ts'
import { useMovable } from './queries.ts'

/** Finds domains of the group's owner to add; a domain in another group is marked, because it would leave that group. */
export function FindDomains({ group, onAdded }: { group: Group; onAdded: () => void }) {
  const { t } = useTranslation('groups')
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const actions = useGroupActions()
  const movable = useMovable(group)
  const list = useFoundDomains({ ownerId: group.ownerId, ...(search === '' ? {} : { search }) })

  const add = async (): Promise<void> => {
    try {
      await actions.addZones(group.id, [...selected])
      onAdded()
    } catch {
      // The toast has reported it.
    }
  }
  return (
    <>
      <div>
        <SearchInput value={search} onChange={setSearch} label={t('domains.search')} busy={list.isFetching} />
      </div>
      <PickList
        label={t('domains.find')}
        list={list}
        selected={selected}
        onPick={(id, value) => setSelected((before) => selectedAfter(before, id, value))}
        isFixed={({ groupId }) => groupId === group.id}
        lock={(domain) => (movable.allows(domain) ? null : t('domains.locked'))}
        note={(domain) =>
          domain.groupId === group.id ? (
            t('domains.here')
          ) : domain.group === null ? null : (
            <>
              <GroupMark icon={domain.group.icon} color={domain.group.color} size={16} />
              <bdi title={domain.group.name}>{domain.group.name}</bdi>
            </>
          )
        }
        empty={<p>{t(search === '' ? 'domains.no_domains' : 'domains.none_match')}</p>}
      />
      <div className="row wrap gap-8 end">
        <span className="grow">
          <span className="size-12 muted">
            {movable.accountIds === null ? t('domains.moves') : `${t('domains.moves')} ${t('domains.locked')}`}
          </span>
        </span>
        <Button disabled={selected.size === 0} loading={actions.busy} onClick={() => void add()}>
          {selected.size === 0 ? t('domains.add') : t('domains.add_count', counted(selected.size))}
        </Button>
      </div>
    </>
  )
}
