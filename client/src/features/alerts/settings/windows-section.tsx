import { Button, NativeSelect, Select, TextInput } from '@mantine/core'
import { IconCalendarPause } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MaintenanceWindow } from '#shared/features/alerts/schema.ts'
import { messageOf } from '#client/lib/errors.ts'
import { formatDateTime } from '#client/lib/format.ts'
import { useForm } from '#client/lib/forms.ts'
import { joinFacts } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { DateField } from '#client/ui/form/date-field.tsx'
import { DateTimeField } from '#client/ui/form/date-time-field.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import forms from '#client/ui/form/form.module.css'
import { useOwner, useOwnGroups } from '#client/lib/owner-choice.tsx'
import { SettingsRow, SettingsRows } from '#client/ui/table/settings-row.tsx'
import { WindowDomains } from './window-domains.tsx'

/** Maintenance windows, in which no alerts are sent. */
export function WindowsSection() {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const groups = useOwnGroups()
  const list = trpc.alerts.listWindows.useQuery(useOwner())
  const remove = trpc.alerts.removeWindow.useMutation({ meta: { failure: t('failed.act') } })
  const [doomed, setDoomed] = useState<MaintenanceWindow | null>(null)
  const [dialog, setDialog] = useState<MaintenanceWindow | 'new' | null>(null)
  const windows = list.data?.windows ?? []
  const groupName = (id: string): string => groups.find((each) => each.id === id)?.name ?? ''
  return (
    <FormSection title={t('windows.title')} text={t('windows.text')}>
      <SettingsRows
        label={t('windows.title')}
        rows={windows}
        row={(each) => {
          const { startsAt, endsAt } = each.next ?? each
          const running = Date.parse(startsAt) <= Date.now() && Date.parse(endsAt) > Date.now()
          return (
            <SettingsRow
              key={each.id}
              icon={IconCalendarPause}
              name={
                <>
                  {running ? <StatusDot tone="info" label={t('windows.running')} /> : null}
                  <bdi>{each.name}</bdi>
                </>
              }
              about={joinFacts(
                `${formatDateTime(startsAt)} – ${formatDateTime(endsAt)}`,
                each.repeat && t(`windows.${each.repeat.every}`),
                each.next === null ? t('windows.over') : null,
                each.groupId === null ? t(each.zoneIds === null ? 'channels.all' : 'windows.some') : groupName(each.groupId),
              )}
              edit={{ label: t('windows.edit_one', { name: each.name }), onPress: () => setDialog(each) }}
              remove={{ label: t('windows.delete_one', { name: each.name }), onPress: () => setDoomed(each) }}
            />
          )
        }}
      />
      <div className="flex wrap gap-8">
        <Button variant="default" onClick={() => setDialog('new')}>
          {t('windows.add')}
        </Button>
      </div>
      {doomed === null ? null : (
        <ConfirmDialog
          title={t('windows.delete_title', { name: doomed.name })}
          consequence={<p>{t('windows.delete_text')}</p>}
          action={t('delete')}
          count={1}
          onConfirm={async () => {
            await remove.mutateAsync({ id: doomed.id })
            await utils.alerts.listWindows.invalidate()
            toast.success(t('windows.deleted'), doomed.name)
          }}
          onClose={() => setDoomed(null)}
        />
      )}
      {dialog === null ? null : <WindowDialog {...(dialog !== 'new' && { window: dialog })} onClose={() => setDialog(null)} />}
    </FormSection>
  )
}

const hourMs = 3_600_000
const repeats = ['never', 'day', 'week', 'month'] as const
/** The local time: 2026-11-22T09:30. */
const local = (moment: number): string => new Date(moment - new Date(moment).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
/** The local midnight after a day. */
const dayAfter = (day: string): string => {
  const midnight = new Date(`${day}T00:00`)
  midnight.setDate(midnight.getDate() + 1)
  return midnight.toISOString()
}

function useWindowForm(given: MaintenanceWindow | undefined, onSaved: () => void) {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const owner = useOwner()
  const create = trpc.alerts.createWindow.useMutation({ meta: { failure: false } })
  const update = trpc.alerts.updateWindow.useMutation({ meta: { failure: false } })
  return useForm({
    initial: {
      name: given?.name ?? '',
      groupId: given?.groupId ?? null,
      zoneIds: [...(given?.zoneIds ?? [])],
      startsAt: local(given === undefined ? Date.now() : Date.parse(given.startsAt)),
      endsAt: local(given === undefined ? Date.now() + 2 * hourMs : Date.parse(given.endsAt)),
      every: given?.repeat?.every ?? ('never' as const),
      lastDay: given?.repeat?.until == null ? '' : local(Date.parse(given.repeat.until) - 1).slice(0, 10),
    },
    schema: async () => (await import('#shared/features/alerts/forms.ts')).windowFields,
    onSubmit: async ({ name, groupId, zoneIds: domainIds, startsAt, endsAt, every, lastDay }) => {
      const fields = {
        name,
        groupId,
        zoneIds: domainIds.length === 0 ? null : domainIds,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(endsAt).toISOString(),
        repeat:
          every === 'never'
            ? null
            : {
                every,
                timeZone: given?.repeat?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
                until: lastDay === '' ? null : dayAfter(lastDay),
              },
      }
      await (given === undefined ? create.mutateAsync({ ...owner, ...fields }) : update.mutateAsync({ id: given.id, ...fields }))
      await utils.alerts.listWindows.invalidate()
      toast.success(t('saved'), name)
      onSaved()
    },
    refusalOf: messageOf,
  })
}

function WindowDialog({ window: given, onClose }: { window?: MaintenanceWindow; onClose: () => void }) {
  const { t } = useTranslation(['monitoring', 'common'])
  const groups = useOwnGroups()
  const form = useWindowForm(given, onClose)
  return (
    <Dialog onClose={onClose} title={t(given === undefined ? 'windows.new' : 'windows.change')} size={460}>
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        <TextInput
          {...form.text('name')}
          label={t('channels.name')}
          required
          autoComplete="off"
          data-autofocus
          placeholder={t('windows.example')}
        />
        {form.values.zoneIds.length > 0 ? null : (
          <Select
            label={t('channels.which')}
            placeholder={t('channels.all')}
            data={groups.map(({ id, name }) => ({ value: id, label: name }))}
            value={form.values.groupId}
            onChange={(id) => form.set('groupId', id)}
            clearable
            searchable
          />
        )}
        {form.values.groupId !== null ? null : (
          <WindowDomains selectedIds={form.values.zoneIds} known={given?.domains ?? []} onChange={(ids) => form.set('zoneIds', ids)} />
        )}
        <div className={forms['pair']}>
          {(['startsAt', 'endsAt'] as const).map((side) => (
            <div key={side}>
              <span className={forms['name']}>{t(`windows.${side}`)}</span>
              <DateTimeField
                label={t(`windows.${side}`)}
                value={form.values[side]}
                error={form.errors[side]}
                onChange={(value) => form.set(side, value)}
              />
            </div>
          ))}
        </div>
        <div className={forms['pair']}>
          <NativeSelect
            label={t('windows.repeat')}
            value={form.values.every}
            onChange={(event) => form.set('every', repeats.find((each) => each === event.currentTarget.value) ?? 'never')}
            data={repeats.map((value) => ({ value, label: t(`windows.${value}`) }))}
          />
          {form.values.every === 'never' ? null : (
            <DateField
              label={t('windows.last_day')}
              placeholder={t('windows.no_last_day')}
              value={form.values.lastDay}
              error={form.errors['lastDay']}
              clearable
              onChange={(day) => form.set('lastDay', day)}
            />
          )}
        </div>
        <FormEnd refusal={form.refusal} action={t('save')} busy={form.submitting} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
