import { Checkbox, Loader, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { trackerNames } from '#shared/features/trackers/names.ts'
import { messageOf, providerWords } from '#client/lib/errors.ts'
import { sentences } from '#client/lib/text.ts'
import links from '#client/ui/display/text-link.module.css'
import { type InTracker, usualTracker, useManagedTrackers, useTrackerChoices } from '../queries.ts'

/** Above this number, campaigns are found by typing. */
const shownAtMost = 100

/** The tracker and the campaign; only fields that the tracker software supports are shown (R-TRK-03). */
export function TrackerFields({
  value,
  ownerId,
  optional = false,
  onChange,
}: {
  /** Null: none, or the default one if one is required. */
  value: InTracker | null
  /** The owner; absent: any. */
  ownerId?: string | undefined
  optional?: boolean
  onChange: (value: InTracker | null) => void
}) {
  const { t } = useTranslation(['trackers', 'common'])
  const managed = useManagedTrackers(ownerId)
  const trackers = managed?.filter(({ enabled }) => enabled) ?? []
  const usual = optional ? undefined : usualTracker(trackers)
  const selected: InTracker | null =
    value ?? (usual === undefined ? null : { trackerId: usual.id, campaignId: null, groupId: null, sslRedirect: false })
  const named = new Set(trackers.map(({ ownerId: owner }) => owner)).size > 1
  if (managed === undefined) return <Loader size="xs" />
  if (trackers.length === 0) {
    return optional ? null : (
      <p className="size-12 muted pretty">
        {t('bind.no_trackers')}{' '}
        <Link to="/settings" search={{ tab: 'trackers' }} className={`underlined ${links['link']}`}>
          {t('bind.to_settings')}
        </Link>
      </p>
    )
  }
  return (
    <>
      <Select
        label={t('bind.tracker')}
        placeholder={t('bind.no_tracker')}
        data={trackers.map(({ id, name, kind, ownerName }) => ({
          value: id,
          label: [name, ...(name === trackerNames[kind] ? [] : [trackerNames[kind]]), ...(named ? [ownerName] : [])].join(' · '),
        }))}
        value={selected?.trackerId ?? null}
        onChange={(id) => onChange(id === null ? null : { trackerId: id, campaignId: null, groupId: null, sslRedirect: false })}
        allowDeselect={false}
        clearable={optional}
        searchable={trackers.length > 8}
        nothingFoundMessage={t('common:filters.none')}
        data-autofocus={optional ? undefined : true}
      />
      {selected === null ? null : <Choices selected={selected} onChange={onChange} />}
    </>
  )
}

function Choices({ selected, onChange }: { selected: InTracker; onChange: (value: InTracker) => void }) {
  const { t } = useTranslation(['trackers', 'common'])
  const choices = useTrackerChoices(selected.trackerId)
  if (choices.isPending) {
    return (
      <p className="row gap-8 size-13 secondary" role="status">
        <Loader size="xs" />
        {t('bind.reading')}
      </p>
    )
  }
  if (choices.isError) {
    return (
      <p className="size-12 muted pretty" role="alert">
        {sentences(t('bind.failed'), messageOf(choices.error), providerWords(choices.error))}{' '}
        <button type="button" className={`underlined ${links['link']}`} onClick={() => void choices.refetch()}>
          {t('bind.again')}
        </button>
      </p>
    )
  }
  const { able, campaigns, groups } = choices.data
  const optionsOf = (all: readonly { id: string; name: string }[]) => all.map(({ id, name }) => ({ value: id, label: name }))
  const found = { limit: shownAtMost, nothingFoundMessage: t('common:filters.none'), searchable: true, clearable: true } as const
  return (
    <>
      {able.campaign ? (
        <Select
          {...found}
          label={t('bind.campaign')}
          placeholder={t('bind.no_campaign')}
          data={optionsOf(campaigns)}
          value={selected.campaignId}
          onChange={(campaignId) => onChange({ ...selected, campaignId })}
        />
      ) : (
        <p className="size-12 muted pretty">{t('bind.unable')}</p>
      )}
      {able.group && groups.length > 0 ? (
        <Select
          {...found}
          label={t('bind.group')}
          placeholder={t('bind.no_group')}
          data={optionsOf(groups)}
          value={selected.groupId}
          onChange={(groupId) => onChange({ ...selected, groupId })}
        />
      ) : null}
      {able.sslRedirect ? (
        <Checkbox
          size="sm"
          label={t('bind.ssl_redirect')}
          checked={selected.sslRedirect}
          onChange={(event) => onChange({ ...selected, sslRedirect: event.currentTarget.checked })}
        />
      ) : null}
    </>
  )
}
