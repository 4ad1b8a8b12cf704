import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, utils, type Inputs } from '#client/lib/trpc.ts'

const change = (how: (groups: Group[]) => Group[]): void =>
  utils.groups.list.setData({}, (before) => before && { groups: how(before.groups) })
const replace = (group: Group): void => change((groups) => groups.map((each) => (each.id === group.id ? group : each)))

/** All changes of groups: each reports success or failure, and rethrows the failure (R-GRP-05). */
export function useGroupActions() {
  const { t } = useTranslation(['groups', 'common'])
  const create = trpc.groups.create.useMutation({ meta: { failure: t('failed.create') } })
  const update = trpc.groups.update.useMutation({ meta: { failure: t('failed.update') } })
  const remove = trpc.groups.remove.useMutation({ meta: { failure: t('failed.delete') } })
  const addZones = trpc.groups.addZones.useMutation({ meta: { failure: t('failed.add') } })
  const removeZones = trpc.groups.removeZones.useMutation({ meta: { failure: t('failed.remove') } })

  const done = (title: string, text: string): void => {
    void readAgain('groups')
    toast.success(title, text)
  }
  const domains = (count: number): string => t('common:domains', counted(count))
  return {
    create: async (fields: Inputs['groups']['create']): Promise<Group> => {
      const { group } = await create.mutateAsync(fields)
      // Listed first immediately (R-GRP-04).
      change((groups) => [group, ...groups.filter(({ id }) => id !== group.id)])
      done(t('done.created'), group.name)
      return group
    },
    update: async (fields: Inputs['groups']['update']): Promise<Group> => {
      const { group } = await update.mutateAsync(fields)
      replace(group)
      done(t('done.updated'), group.name)
      return group
    },
    remove: async ({ id, name }: Group): Promise<void> => {
      await remove.mutateAsync({ id })
      change((groups) => groups.filter((each) => each.id !== id))
      done(t('done.deleted'), name)
    },
    addZones: async (id: string, domainIds: string[]): Promise<void> => {
      const { group } = await addZones.mutateAsync({ id, zoneIds: domainIds })
      replace(group)
      done(t('done.added'), `${group.name} · ${domains(group.zonesCount)}`)
    },
    removeZones: async (id: string, domainIds: string[]): Promise<void> => {
      const { group } = await removeZones.mutateAsync({ id, zoneIds: domainIds })
      replace(group)
      done(t('done.removed'), `${group.name} · ${domains(group.zonesCount)}`)
    },
    busy: addZones.isPending || removeZones.isPending,
  }
}
