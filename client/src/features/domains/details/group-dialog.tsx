import { Button, Loader, Select } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GroupMark, NewGroup, useManagedGroups } from '#client/features/groups/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { renewZone } from './use-zone.ts'

/** Puts a domain into another group of its owner, or into none. */
export function GroupDialog({ zone, onClose }: { zone: DomainDetails; onClose: () => void }) {
  const { t } = useTranslation(['zone', 'common'])
  // A new group is the person's own; an administrator may look at somebody else's domain.
  const userId = auth.use().user?.id
  const [groupId, setGroupId] = useState(zone.groupId)
  const managed = useManagedGroups(zone.ownerId)
  const groups = managed ?? []
  // The one that it is in stays to be seen.
  const data = groups.map(({ id, name }) => ({ value: id, label: name }))
  const { group: present, groupId: presentId } = zone
  if (present !== null && presentId !== null && !groups.some(({ id }) => id === presentId))
    data.push({ value: presentId, label: present.name })
  const change = trpc.zoneSettings.setGroup.useMutation({ meta: { failure: t('failed.group') } })

  const save = async (): Promise<void> => {
    if (change.isPending) return
    try {
      const answer = await change.mutateAsync({ id: zone.id, groupId })
      await renewZone(answer.zone)
      toast.success(answer.zone.group === null ? t('group.cleared') : t('group.done', { group: answer.zone.group.name }))
      onClose()
    } catch {
      // The toast has told of it.
    }
  }

  return (
    <Dialog onClose={change.isPending ? () => undefined : onClose} title={t('group.title', { domain: zone.displayName })} size={440}>
      <form
        className="column gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {managed === undefined ? (
          <Loader size="xs" />
        ) : groups.length === 0 ? (
          <p className="column gap-8 top size-13 secondary">{t('group.no_groups')}</p>
        ) : (
          <Select
            label={t('group.label')}
            placeholder={t('group.none')}
            data={data}
            value={groupId}
            onChange={setGroupId}
            nothingFoundMessage={t('common:filters.none')}
            renderOption={({ option }) => (
              <span className="inline gap-8">
                <GroupMark {...(groups.find(({ id }) => id === option.value) ?? { icon: null, color: null })} />
                <bdi>{option.label}</bdi>
              </span>
            )}
            searchable
            clearable
            data-autofocus
          />
        )}
        {managed === undefined || zone.ownerId !== userId ? null : (
          <Suspense fallback={null}>
            <NewGroup onCreated={({ id }) => setGroupId(id)} />
          </Suspense>
        )}
        <div className="flex gap-8 end mt-4">
          <Button variant="default" onClick={onClose} disabled={change.isPending}>
            {t(groups.length === 0 ? 'common:close' : 'common:cancel')}
          </Button>
          {groups.length === 0 ? null : (
            <Button type="submit" loading={change.isPending} disabled={groupId === zone.groupId}>
              {t('group.save')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
