import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Loader, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CreateGroup, useManagedGroups } from '#client/features/groups/index.ts'
import { PickOrCreateField } from '#client/ui/form/pick-or-create.tsx'
import { CreateRegistrar, useManagedRegistrars } from '#client/features/registrars/index.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { trpc } from '#client/lib/trpc.ts'
import type { BulkFormProps } from './bulk-form.ts'
import { VerifyRules } from './verify-rules.tsx'
import classes from './operations.module.css'

/** Moves all domains to another group, or to none (R-DOM-10). */
export function GroupForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'shell'])
  /** `none`: removes each from its group; null: not selected yet. */
  const [choice, setChoice] = useState<string | null>(null)
  const groups = useManagedGroups()
  return frame(
    <PickOrCreateField
      label={t('group.label')}
      placeholder={t('group.choose')}
      first={{ value: 'none', label: t('group.take_out') }}
      options={groups?.map(({ id, name }) => ({ value: id, label: name }))}
      value={choice}
      onChange={setChoice}
      none={t('group.no_groups')}
      create={{ label: t('shell:quick_add.group'), Dialog: CreateGroup }}
    />,
    () => onSubmit({ kind: 'group', input: { groupId: choice === 'none' ? null : choice } }),
    choice === null,
  )
}

/** Sets the registrar of all domains, or none (R-DOM-10). */
export function RegistrarForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'shell'])
  /** `none`: detaches each from its registrar; null: not selected yet. */
  const [choice, setChoice] = useState<string | null>(null)
  const registrars = useManagedRegistrars()
  return frame(
    <PickOrCreateField
      label={t('registrar.label')}
      placeholder={t('registrar.choose')}
      first={{ value: 'none', label: t('registrar.take_out') }}
      options={registrars?.map(({ id, name }) => ({ value: id, label: name }))}
      value={choice}
      onChange={setChoice}
      none={t('registrar.no_registrars')}
      create={{ label: t('shell:quick_add.registrar'), Dialog: CreateRegistrar }}
    />,
    () => onSubmit({ kind: 'registrar', input: { registrarId: choice === 'none' ? null : choice } }),
    choice === null,
  )
}

/** The value of the choice that detaches the domains. */
const detachment = 'none'

/** Applies a profile to all domains, or detaches them from theirs. */
export function ProfileForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'common'])
  const list = trpc.profiles.list.useQuery(undefined, { staleTime: 0 })
  const [selected, setSelected] = useState<string | null>(null)
  const [isChecked, setIsChecked] = useState(false)
  const [verifies, setVerifies] = useState(false)
  const profiles = list.data?.profiles ?? []
  const [only] = profiles
  const choice = selected ?? (profiles.length === 1 && only !== undefined ? only.id : null)
  const hasRules = profiles.some(({ id, rules }) => id === choice && rules.length > 0)
  const withOwner = new Set(profiles.map(({ ownerId }) => ownerId)).size > 1
  return frame(
    list.isPending ? (
      <Loader size="xs" />
    ) : list.data === undefined ? (
      <ErrorState error={list.error} onRetry={() => void list.refetch()} />
    ) : profiles.length === 0 ? (
      <p className={`size-12 muted ${classes['quiet']}`}>
        {t('profile.none')}{' '}
        <Link to="/profiles" className={classes['link']}>
          {t('profile.create')}
        </Link>
      </p>
    ) : (
      <>
        <p className={`size-12 muted ${classes['quiet']}`}>{t(choice === detachment ? 'profile.detach_help' : 'profile.help')}</p>
        <Select
          label={t('profile.label')}
          placeholder={t('profile.choose')}
          data={[
            ...profiles.map(({ id, name, ownerName }) => ({ value: id, label: withOwner ? `${name} · ${ownerName}` : name })),
            { value: detachment, label: t('profile.detach') },
          ]}
          value={choice}
          onChange={(id) => {
            setIsChecked(false)
            setSelected(id)
          }}
          error={isChecked ? t('profile.choose') : undefined}
          nothingFoundMessage={t('common:filters.none')}
          allowDeselect={false}
          searchable
          data-autofocus
        />
        {hasRules ? <VerifyRules checked={verifies} onChange={setVerifies} /> : null}
      </>
    ),
    () =>
      choice === null
        ? setIsChecked(true)
        : onSubmit({ kind: 'profile', input: { profileId: choice === detachment ? null : choice, verify: hasRules && verifies } }),
  )
}
