import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api } from '#client/lib/trpc.ts'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { PickList, selectedAfter, useFoundDomains } from './pick-list.tsx'
import { useGroupActions } from './mutations.ts'
import { useMovable } from './queries.ts'

/** The domains in the group; managers remove those that they may. */
export function GroupDomains({
  group,
  managed,
  onClose,
  onAdd,
}: {
  group: Group
  managed: boolean
  onClose: () => void
  onAdd: () => void
}) {
  const { t } = useTranslation('groups')
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const movable = useMovable(group)
  const noneMoves = movable.accountIds?.length === 0
  const filter = { groupIds: [group.id], ...(search === '' ? {} : { search }) }
  const list = useFoundDomains(filter)

  const pickAll = async (): Promise<void> => {
    try {
      const ofAccounts = movable.accountIds === null ? {} : { accountIds: [...movable.accountIds] }
      setSelected(new Set((await api.domains.matchingIds.query({ filter: { ...filter, ...ofAccounts } })).ids))
    } catch (error) {
      toast.failure(error, t('failed.domains'))
    }
  }

  return (
    <>
      <div>
        <SearchInput value={search} onChange={setSearch} label={t('domains.search')} busy={list.isFetching} />
      </div>
      <PickList
        label={t('domains.in')}
        list={list}
        failure={t('failed.load_one')}
        selected={selected}
        {...(managed &&
          !noneMoves && { onPick: (id: string, value: boolean) => setSelected((before) => selectedAfter(before, id, value)) })}
        lock={(domain) => (movable.allows(domain) ? null : t('domains.locked'))}
        note={({ account }) => <bdi title={account.email}>{account.name || account.email}</bdi>}
        empty={
          search === '' ? (
            <>
              <p>{t('domains.empty')}</p>
              {managed ? (
                <Button variant="default" size="xs" onClick={onAdd}>
                  {t('domains.add')}
                </Button>
              ) : null}
            </>
          ) : (
            <p>{t('domains.none_match')}</p>
          )
        }
      />
      {managed && movable.accountIds !== null ? <p className="size-12 muted">{t('domains.locked')}</p> : null}
      <Footer
        group={group}
        selected={selected}
        managed={managed}
        noneMoves={noneMoves}
        onPick={setSelected}
        onPickAll={pickAll}
        onClose={onClose}
      />
    </>
  )
}

function Footer({
  group,
  managed,
  noneMoves,
  selected,
  onPick,
  onPickAll,
  onClose,
}: {
  group: Group
  managed: boolean
  noneMoves: boolean
  selected: ReadonlySet<string>
  onPick: (selected: ReadonlySet<string>) => void
  onPickAll: () => Promise<void>
  onClose: () => void
}) {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const actions = useGroupActions()
  const remove = async (): Promise<void> => {
    try {
      await actions.removeZones(group.id, [...selected])
      onPick(new Set())
    } catch {
      // A toast has reported it.
    }
  }

  return (
    <div className="row wrap gap-8 end">
      <span className="grow">
        {selected.size > 0 ? (
          <Button variant="subtle" size="xs" onClick={() => onPick(new Set())}>
            {t('domains.pick_none')}
          </Button>
        ) : managed && !noneMoves && group.zonesCount > 0 ? (
          <Button variant="subtle" size="xs" onClick={() => void onPickAll()}>
            {t('domains.pick_all')}
          </Button>
        ) : null}
      </span>
      <Button
        variant="default"
        onClick={() => {
          onClose()
          void navigate({ to: '/domains', search: { group: group.id } })
        }}
      >
        {t('domains.open')}
      </Button>
      {managed ? (
        <Button
          color="red"
          variant="light"
          disabled={selected.size === 0}
          title={noneMoves ? t('domains.locked') : undefined}
          loading={actions.busy}
          onClick={() => void remove()}
        >
          {selected.size === 0 ? t('domains.remove') : t('domains.remove_count', counted(selected.size))}
        </Button>
      ) : null}
    </div>
  )
}
