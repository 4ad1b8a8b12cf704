import { Loader, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '#client/ui/error-state.tsx'
import { trpc } from '#client/lib/trpc.ts'
import type { BulkFormProps } from './bulk-form.ts'
import classes from './operations.module.css'

/** A named set of settings and records for all. */
export function ProfileForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'common'])
  const list = trpc.profiles.list.useQuery(undefined, { staleTime: 0 })
  const [chosen, setChosen] = useState<string | null>(null)
  const [told, setTold] = useState(false)
  const profiles = list.data?.profiles ?? []
  const [only] = profiles
  const profileId = chosen ?? (profiles.length === 1 && only !== undefined ? only.id : null)
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
        <p className={`size-12 muted ${classes['quiet']}`}>{t('profile.help')}</p>
        <Select
          label={t('profile.label')}
          placeholder={t('profile.choose')}
          data={profiles.map(({ id, name, ownerName }) => ({ value: id, label: withOwner ? `${name} · ${ownerName}` : name }))}
          value={profileId}
          onChange={(id) => {
            setTold(false)
            setChosen(id)
          }}
          error={told ? t('profile.choose') : undefined}
          nothingFoundMessage={t('common:filters.none')}
          allowDeselect={false}
          searchable
          data-autofocus
        />
      </>
    ),
    () => (profileId === null ? setTold(true) : onSubmit({ kind: 'profile', input: { profileId } })),
  )
}
