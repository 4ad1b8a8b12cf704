import { Button, MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MaintenanceWindow } from '#shared/features/alerts/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { counted } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { useOwner } from '#client/lib/owner-choice.tsx'

const waitMs = 200
const shownAtMost = 50

/**
 * Domains of the owner of the settings, found by name. Of those selected earlier, the `known` ones are listed by name and the others are counted.
 */
export function WindowDomains({
  selectedIds,
  known,
  onChange,
}: {
  selectedIds: readonly string[]
  known: MaintenanceWindow['domains']
  onChange: (ids: string[]) => void
}) {
  const { t } = useTranslation(['monitoring', 'common'])
  const me = auth.use().user?.id
  const { ownerId = me } = useOwner()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), waitMs)
  const [names, setNames] = useState<ReadonlyMap<string, string>>(() => new Map(known.map(({ id, displayName }) => [id, displayName])))
  const found = trpc.domains.list.useQuery(
    { filter: { ...(ownerId && { ownerId }), ...(search !== '' && { search }) }, limit: shownAtMost },
    { placeholderData: keepPreviousData },
  )
  const offered = new Map([...names, ...(found.data?.domains ?? []).map(({ id, displayName }) => [id, displayName] as const)])
  // The server also searches by Punycode, which the displayed name lacks, so its results are used unfiltered.
  const foundIds = new Set(found.data?.domains.map(({ id }) => id))
  const named = selectedIds.filter((id) => offered.has(id))
  const unnamed = selectedIds.filter((id) => !offered.has(id))
  return (
    <div>
      <MultiSelect
        label={t('windows.domains')}
        placeholder={t('windows.find')}
        data={[...offered].map(([value, label]) => ({ value, label }))}
        value={named}
        onChange={(ids) => {
          setNames(new Map(ids.flatMap((id) => [[id, offered.get(id) ?? ''] as const])))
          onChange([...unnamed, ...ids])
        }}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        filter={({ options }) => options.filter((option) => 'value' in option && foundIds.has(option.value))}
        limit={shownAtMost}
        maxDropdownHeight={220}
        nothingFoundMessage={t('common:filters.none')}
      />
      {unnamed.length === 0 ? null : (
        <p className="row wrap gap-4-12">
          <span className="size-12 muted">{t('windows.chosen', counted(selectedIds.length))}</span>
          <Button variant="subtle" color="gray" size="xs" onClick={() => onChange([])}>
            {t('windows.clear')}
          </Button>
        </p>
      )}
    </div>
  )
}
