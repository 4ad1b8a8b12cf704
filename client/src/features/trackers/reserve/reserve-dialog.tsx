import { Loader, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useManagedGroups } from '#client/features/groups/index.ts'
import type { ReserveDomain } from '#shared/features/trackers/schema.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { failureOf, messageOf } from '#client/lib/errors.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { sentences } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'

/** The limit of one call. */
const maxPerCall = 1_000

/** Adds domains to the reserve, or changes their group and note. */
export function ReserveDialog({
  domainIdsOf,
  count,
  given,
  onDone,
  onClose,
}: {
  /** The domains; they may have to be fetched first. */
  domainIdsOf: () => Promise<string[]>
  count: number
  /** Their current values if they are already in the reserve. */
  given?: ReserveDomain
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['trackers', 'common'])
  const groups = useManagedGroups(given?.ownerId)
  const [groupId, setGroupId] = useState(given?.group?.id ?? null)
  const [note, setNote] = useState(given?.note ?? '')
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const add = trpc.trackers.addReserve.useMutation({ meta: { failure: false } })
  const submit = async (): Promise<void> => {
    if (busy) return
    if (count > maxPerCall) return setRefusal(t('reserve.most', { most: formatNumber(maxPerCall) }))
    setBusy(true)
    setRefusal(null)
    try {
      const domainIds = await domainIdsOf()
      await add.mutateAsync({ zoneIds: domainIds, groupId, note: note.trim() === '' ? null : note.trim() })
      await refresh('trackers')
      toast.success(given === undefined ? t('reserve.added', counted(domainIds.length)) : t('reserve.saved'))
      onDone()
    } catch (error) {
      if (failureOf(error).kind !== 'cancelled') setRefusal(sentences(t('reserve.failed_add'), messageOf(error)))
    } finally {
      setBusy(false)
    }
  }
  const amount = counted(count)
  return (
    <Dialog
      onClose={busy ? () => undefined : onClose}
      title={
        given !== undefined && count === 1 ? given.displayName : t(given === undefined ? 'reserve.add_title' : 'reserve.edit_title', amount)
      }
      size={460}
    >
      <form className="column gap-16" onSubmit={(event) => handleSubmit(event, submit)}>
        <p className="size-13 secondary pretty">{t('reserve.what')}</p>
        {groups === undefined ? (
          <Loader size="xs" />
        ) : groups.length === 0 ? null : (
          <Select
            label={t('reserve.group')}
            placeholder={t('reserve.any_group')}
            data={groups.map(({ id, name }) => ({ value: id, label: name }))}
            value={groupId}
            onChange={setGroupId}
            nothingFoundMessage={t('common:filters.none')}
            searchable
            clearable
          />
        )}
        <Textarea
          label={t('reserve.note')}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={500}
          rows={2}
          autosize
          data-autofocus
        />
        <FormEnd
          refusal={refusal}
          action={t(given === undefined ? 'reserve.put' : 'form.save', amount)}
          busy={busy}
          stays
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
