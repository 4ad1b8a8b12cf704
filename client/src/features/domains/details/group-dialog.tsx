import { useTranslation } from 'react-i18next'
import { CreateGroup, GroupMark, useManagedGroups } from '#client/features/groups/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { PickOrCreateDialog } from '#client/ui/form/pick-or-create.tsx'
import { renewZone } from './queries.ts'

/** Moves a domain to another group of its owner, or to none. */
export function GroupDialog({ zone, onClose }: { zone: DomainDetails; onClose: () => void }) {
  const { t } = useTranslation(['zone', 'shell'])
  // A new group belongs to the current user, who may be an administrator viewing another user's domain.
  const userId = auth.use().user?.id
  const groups = useManagedGroups(zone.ownerId)
  // The current group stays listed.
  const { group: present, groupId: presentId } = zone
  const options = groups?.map(({ id, name }) => ({ value: id, label: name }))
  if (options !== undefined && present !== null && presentId !== null && !options.some(({ value }) => value === presentId))
    options.push({ value: presentId, label: present.name })
  const change = trpc.zoneSettings.setGroup.useMutation({ meta: { failure: t('failed.group') } })

  return (
    <PickOrCreateDialog
      title={t('group.title', { domain: zone.displayName })}
      label={t('group.label')}
      placeholder={t('group.none')}
      none={t('group.no_groups')}
      save={t('group.save')}
      options={options}
      present={presentId}
      renderOption={({ value, label }) => (
        <span className="inline gap-8">
          <GroupMark {...(groups?.find(({ id }) => id === value) ?? { icon: null, color: null })} />
          <bdi>{label}</bdi>
        </span>
      )}
      create={zone.ownerId === userId ? { label: t('shell:quick_add.group'), Dialog: CreateGroup } : null}
      onSave={async (groupId) => {
        const answer = await change.mutateAsync({ id: zone.id, groupId })
        await renewZone(answer.zone)
        toast.success(answer.zone.group === null ? t('group.cleared') : t('group.done', { group: answer.zone.group.name }))
      }}
      onClose={onClose}
    />
  )
}
