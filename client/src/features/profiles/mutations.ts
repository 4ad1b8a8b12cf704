import { useTranslation } from 'react-i18next'
import { readAgain } from '#client/lib/live-queries.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, utils, type Inputs, type Outputs } from '#client/lib/trpc.ts'

/** A profile as received. */
export type Profile = Outputs['profiles']['list']['profiles'][number]

const change = (how: (profiles: Profile[]) => Profile[]): void =>
  utils.profiles.list.setData(undefined, (before) => before && { profiles: how(before.profiles) })
const put = (profile: Profile): void =>
  change((profiles) =>
    [
      // There is at most one default.
      ...profiles
        .filter(({ id }) => id !== profile.id)
        .map((each) => (profile.isDefault && each.ownerId === profile.ownerId ? { ...each, isDefault: false } : each)),
      profile,
    ].toSorted((one, other) => one.name.localeCompare(other.name)),
  )

/** All changes of profiles: each reports success or failure, and rethrows the failure. */
export function useProfileActions() {
  const { t } = useTranslation('profiles')
  const create = trpc.profiles.create.useMutation({ meta: { failure: false } })
  const update = trpc.profiles.update.useMutation({ meta: { failure: false } })
  const duplicate = trpc.profiles.duplicate.useMutation({ meta: { failure: t('failed.duplicate') } })
  const setDefault = trpc.profiles.setDefault.useMutation({ meta: { failure: t('failed.update') } })
  const remove = trpc.profiles.remove.useMutation({ meta: { failure: t('failed.delete') } })

  const done = (title: string, profile: Profile): Profile => {
    put(profile)
    void readAgain('profiles')
    toast.success(title, profile.name)
    return profile
  }
  return {
    create: async (fields: Inputs['profiles']['create']): Promise<Profile> =>
      done(t('done.created'), (await create.mutateAsync(fields)).profile),
    update: async (fields: Inputs['profiles']['update']): Promise<Profile> => {
      const { profile } = await update.mutateAsync(fields)
      return done(t('done.updated'), profile)
    },
    duplicate: async ({ id }: Profile): Promise<void> => {
      done(t('done.duplicated'), (await duplicate.mutateAsync({ id })).profile)
    },
    setDefault: async ({ id }: Profile, isDefault: boolean): Promise<void> => {
      done(t(isDefault ? 'done.default' : 'done.not_default'), (await setDefault.mutateAsync({ id, isDefault })).profile)
    },
    remove: async ({ id, name }: Profile): Promise<void> => {
      await remove.mutateAsync({ id })
      change((profiles) => profiles.filter((each) => each.id !== id))
      void readAgain('profiles')
      toast.success(t('done.deleted'), name)
    },
    busy: duplicate.isPending || setDefault.isPending,
  }
}
