import { Checkbox, Loader, Select, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '#client/lib/trpc.ts'
import type { BulkFormProps } from './bulk-form.ts'
import links from '#client/ui/display/text-link.module.css'
import classes from './operations.module.css'

/** Up to this number, replacements can be chosen per domain; above it, each gets the next one. */
const maxSelected = 20

/** Which reserve domains replace these, and why. */
export function ReplaceForm({ onSubmit, frame, about }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'common'])
  const [reason, setReason] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const [archive, setArchive] = useState(true)
  const [pairs, setPairs] = useState<Readonly<Record<string, string | null>>>({})
  const list = trpc.trackers.reserve.useQuery({ ...(about?.ownerId !== undefined && { ownerId: about.ownerId }) })
  const replaced = new Set(about?.domains?.map(({ id }) => id))
  const reserve = list.data?.domains.filter(({ zoneId: domainId }) => !replaced.has(domainId)) ?? []
  const ready = reserve.filter(({ problems }) => problems.length === 0)
  const domains = about?.domains ?? []
  const taken = new Set(Object.values(pairs))
  const options = (domainId: string) =>
    reserve.map(({ zoneId: value, displayName, problems }) => ({
      value,
      label: problems.length === 0 ? displayName : t('swap.unready', { domain: displayName }),
      disabled: problems.length > 0 || (taken.has(value) && pairs[domainId] !== value),
    }))
  return frame(
    <>
      <p className={`size-12 muted ${classes['quiet']}`}>{t('swap.what')}</p>
      <Textarea
        label={t('swap.reason')}
        description={t('swap.reason_help')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={t('swap.reason_example')}
        value={reason}
        error={isChecked && reason.trim() === '' ? t('swap.reason_needed') : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={500}
        rows={2}
        autosize
        required
        data-autofocus
      />
      {list.isPending ? (
        <Loader size="xs" />
      ) : ready.length === 0 ? (
        <p className={`size-12 muted ${classes['quiet']}`}>
          {t('swap.empty')}{' '}
          <Link to="/trackers" search={{ tab: 'reserve' }} className={`underlined ${links['link']}`}>
            {t('swap.to_reserve')}
          </Link>
        </p>
      ) : domains.length === 0 || domains.length > maxSelected ? (
        <p className={`size-12 muted ${classes['quiet']}`}>{t('swap.auto_all')}</p>
      ) : (
        domains.map(({ id, displayName }) => (
          <Select
            key={id}
            label={domains.length === 1 ? t('swap.which') : t('swap.pick', { domain: displayName })}
            placeholder={t('swap.auto')}
            data={options(id)}
            value={pairs[id] ?? null}
            onChange={(value) => setPairs((before) => ({ ...before, [id]: value }))}
            nothingFoundMessage={t('common:filters.none')}
            searchable
            clearable
          />
        ))
      )}
      <Checkbox size="sm" label={t('swap.archive')} checked={archive} onChange={(event) => setArchive(event.currentTarget.checked)} />
    </>,
    () => {
      setIsChecked(true)
      if (reason.trim() === '') return
      const selected = Object.entries(pairs).flatMap(([domainId, reserveDomainId]) =>
        reserveDomainId === null ? [] : [{ zoneId: domainId, reserveZoneId: reserveDomainId }],
      )
      onSubmit({ kind: 'replace', input: { reason, archive, pairs: selected } })
    },
  )
}
