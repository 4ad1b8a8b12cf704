import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '#client/lib/errors.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, utils, type Outputs } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { DraftDialog } from '#client/ui/overlay/draft-dialog.tsx'
import { ValuesField } from './values-field.tsx'

export type ValuesTarget = { readonly kind: 'domain' | 'group'; readonly id: string; readonly name: string }
type Variable = Outputs['profiles']['domainValues']['variables'][number]
type Changed = Readonly<Record<string, readonly string[]>>

/** The values that the variables of a profile have in one domain or in the domains of a group. */
export function ProfileValuesDialog({
  target,
  ownerId,
  profileId,
  onClose,
}: {
  target: ValuesTarget
  /** Of the domain or group: profiles of others do not apply to it. */
  ownerId: string
  /** The profile that is shown first. */
  profileId?: string | undefined
  onClose: () => void
}) {
  const { t } = useTranslation(['profiles', 'common'])
  const list = trpc.profiles.list.useQuery()
  const [chosen, setChosen] = useState(profileId)
  const [changed, setChanged] = useState<Changed>({})
  const profiles = list.data?.profiles.filter((profile) => profile.ownerId === ownerId && profile.variables.length > 0)
  const profile = profiles?.find(({ id }) => id === chosen) ?? profiles?.[0]
  return (
    <DraftDialog
      isChanged={Object.keys(changed).length > 0}
      onClose={onClose}
      title={t(`values.title_${target.kind}`, { name: target.name })}
      size={520}
    >
      {list.error !== null && list.data === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : profiles === undefined ? (
        <Skeleton width="70%" height={80} />
      ) : profile === undefined ? (
        <p className="size-13 secondary">{t('values.none')}</p>
      ) : (
        <div className="column gap-16">
          <p className="size-13 secondary pretty">{t(`values.help_${target.kind}`)}</p>
          {profiles.length === 1 ? null : (
            <NativeSelect
              label={t('values.profile')}
              value={profile.id}
              data={profiles.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(event) => {
                setChosen(event.currentTarget.value)
                setChanged({})
              }}
            />
          )}
          <Values key={profile.id} target={target} profileId={profile.id} changed={changed} onChange={setChanged} onClose={onClose} />
        </div>
      )}
    </DraftDialog>
  )
}

function Values({
  target,
  profileId,
  changed,
  onChange,
  onClose,
}: {
  target: ValuesTarget
  profileId: string
  changed: Changed
  onChange: (changed: Changed) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['profiles', 'common'])
  const input = { id: target.id, profileId }
  const isDomain = target.kind === 'domain'
  const ofDomain = trpc.profiles.domainValues.useQuery(input, { enabled: isDomain, staleTime: 0 })
  const ofGroup = trpc.profiles.groupValues.useQuery(input, { enabled: !isDomain, staleTime: 0 })
  const values = isDomain ? ofDomain : ofGroup
  const silent = { meta: { failure: false } } as const
  const setDomain = trpc.profiles.setDomainValues.useMutation(silent)
  const setGroup = trpc.profiles.setGroupValues.useMutation(silent)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const errorOf = (name: string) => Object.entries(errors).find(([path]) => path.startsWith(`values.${name}`))?.[1]
  const isOwn = ({ from }: Variable) => from === target.kind

  const save = async (): Promise<void> => {
    setErrors({})
    try {
      await (isDomain ? setDomain : setGroup).mutateAsync({
        ...input,
        values: Object.fromEntries(Object.entries(changed).map(([name, each]) => [name, [...each]])),
      })
    } catch (error) {
      const found = fieldErrors(error)
      setErrors(found)
      if (Object.keys(found).length === 0) toast.failure(error, t('failed.values'))
      return
    }
    await utils.profiles.invalidate()
    toast.success(t('values.saved'), target.name)
    onClose()
  }

  if (values.error !== null && values.data === undefined) return <ErrorState error={values.error} onRetry={() => void values.refetch()} />
  if (values.data === undefined) return <Skeleton width="70%" height={80} />
  return (
    <form className="column gap-16" noValidate onSubmit={(event) => handleSubmit(event, save)}>
      {values.data.variables.map((variable) => (
        <ValuesField
          key={variable.name}
          kind={variable.kind}
          values={isOwn(variable) ? variable.values : []}
          label={variable.name}
          error={errorOf(variable.name)}
          description={t(variable.inherited.length === 0 ? 'values.required' : 'values.inherited')}
          {...(variable.inherited.length > 0 && { placeholder: variable.inherited.join(', ') })}
          onChange={(next) => onChange({ ...changed, [variable.name]: next })}
        />
      ))}
      <FormEnd action={t('values.save')} busy={setDomain.isPending || setGroup.isPending} onCancel={onClose} />
    </form>
  )
}
