import { Checkbox, NativeSelect, Select } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MonitoringOverride, MonitoringSettings } from '#shared/features/monitoring/settings.ts'
import { region as regionName, type Notices } from '#shared/features/monitoring/schema.ts'
import { noticeKinds } from '#client/features/alerts/settings/index.ts'
import { messageOf } from '#client/lib/errors.ts'
import { formatDuration } from '#client/lib/format.ts'
import { useForm } from '#client/lib/forms.ts'
import { joinFacts } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { useOwner, useOwnGroups } from '#client/lib/owner-choice.tsx'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import { OptionInputs } from './option-inputs.tsx'
import { optionTexts } from './option-texts.ts'
import { SettingsRow, SettingsRows } from '#client/ui/table/settings-row.tsx'
import forms from '#client/ui/form/form.module.css'
import classes from '../monitoring.module.css'

/** Groups with their own monitoring settings. */
export function OverridesSection({ settings }: { settings: MonitoringSettings }) {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const groups = useOwnGroups()
  const list = trpc.monitoring.overrides.useQuery(useOwner())
  const remove = trpc.monitoring.setOverride.useMutation({ meta: { failure: t('failed.act') } })
  const [doomed, setDoomed] = useState<string | null>(null)
  const [groupId, setGroupId] = useState<string | null>(null)
  const overrides = list.data?.overrides ?? []
  const free = groups.filter(({ id }) => overrides.every((each) => each.groupId !== id))
  const nameOf = (id: string): string => groups.find((each) => each.id === id)?.name ?? ''
  return (
    <FormSection title={t('overrides.title')} text={t('overrides.text')}>
      <SettingsRows
        label={t('overrides.title')}
        rows={overrides}
        row={({ groupId: id, override }) => (
          <SettingsRow
            key={id}
            icon={IconFolder}
            name={<bdi>{nameOf(id)}</bdi>}
            about={
              override.enabled === false
                ? t('overrides.off')
                : joinFacts(
                    override.intervalMinutes === undefined ? null : t('every', { time: formatDuration(override.intervalMinutes * 60) }),
                    override.regions?.map((each) => t(`region.${each}`)).join(', '),
                    override.path,
                    override.notices === undefined ? null : t('overrides.notices'),
                  )
            }
            edit={{ label: t('overrides.edit_one', { name: nameOf(id) }), onPress: () => setGroupId(id) }}
            remove={{ label: t('overrides.delete_one', { name: nameOf(id) }), onPress: () => setDoomed(id) }}
          />
        )}
      />
      {groups.length === 0 ? (
        <p className="size-12 muted">{t('overrides.no_groups')}</p>
      ) : free.length === 0 ? null : (
        <Select
          className={classes['short'] ?? ''}
          label={t('overrides.add')}
          placeholder={t('overrides.choose')}
          data={free.map(({ id, name }) => ({ value: id, label: name }))}
          value={null}
          searchable
          onChange={setGroupId}
        />
      )}
      {doomed === null ? null : (
        <ConfirmDialog
          title={t('overrides.delete_title', { name: nameOf(doomed) })}
          consequence={<p>{t('overrides.delete_text')}</p>}
          action={t('delete')}
          count={1}
          onConfirm={async () => {
            await remove.mutateAsync({ groupId: doomed, override: null })
            await utils.monitoring.overrides.invalidate()
            toast.success(t('saved'), nameOf(doomed))
          }}
          onClose={() => setDoomed(null)}
        />
      )}
      {groupId === null ? null : (
        <OverrideDialog
          groupId={groupId}
          name={nameOf(groupId)}
          settings={settings}
          override={overrides.find((each) => each.groupId === groupId)?.override ?? {}}
          onClose={() => setGroupId(null)}
        />
      )}
    </FormSection>
  )
}

const intervals = [1, 2, 3, 5, 10, 15, 30, 60, 360, 1440]

function OverrideDialog({
  groupId,
  name,
  settings,
  override,
  onClose,
}: {
  groupId: string
  name: string
  settings: MonitoringSettings
  override: MonitoringOverride
  onClose: () => void
}) {
  const { t } = useTranslation(['monitoring', 'faults'])
  const utils = trpc.useUtils()
  const save = trpc.monitoring.setOverride.useMutation({ meta: { failure: false } })
  const [enabled, setEnabled] = useState(override.enabled ?? true)
  const [interval, setInterval] = useState(override.intervalMinutes ?? settings.checkInterval)
  const [notices, setNotices] = useState<NonNullable<MonitoringOverride['notices']>>(override.notices ?? {})
  const isNotified = (kind: keyof Notices): boolean => notices[kind] ?? settings.notifications[kind]
  const [regions, setRegions] = useState<readonly string[]>(override.regions ?? settings.regions)
  const given = Object.fromEntries(Object.entries(override).filter(([, value]) => value !== undefined))
  const form = useForm({
    initial: optionTexts({ ...settings.options, ...given }),
    schema: async () => (await import('#shared/features/monitoring/settings.ts')).optionFields,
    onSubmit: async (options) => {
      const selected = regionName.options.filter((each) => regions.includes(each))
      if (selected.length === 0) {
        form.refuse(t('faults:region_needed'))
        return
      }
      const own = Object.entries(options).filter(
        ([key, value]) => JSON.stringify(value) !== JSON.stringify(settings.options[key as keyof typeof settings.options]),
      )
      const ownNotices = noticeKinds.filter((each) => isNotified(each) !== settings.notifications[each])
      await save.mutateAsync({
        groupId,
        override: {
          ...(ownNotices.length > 0 && { notices: Object.fromEntries(ownNotices.map((each) => [each, isNotified(each)])) }),
          ...(enabled === settings.enabled ? {} : { enabled }),
          ...(interval === settings.checkInterval ? {} : { intervalMinutes: interval }),
          ...(selected.join() === settings.regions.join() ? {} : { regions: selected }),
          ...Object.fromEntries(own),
        },
      })
      await utils.monitoring.invalidate()
      toast.success(t('saved'), name)
      onClose()
    },
    refusalOf: messageOf,
  })
  return (
    <Dialog onClose={onClose} title={t('overrides.dialog', { name })} size={560}>
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        <p className="size-13 secondary pretty">{t('overrides.dialog_text')}</p>
        <NamedSwitch name={t('overrides.enabled')} on={enabled} onChange={setEnabled} />
        <NativeSelect
          label={t('watch.interval')}
          value={String(interval)}
          onChange={(event) => setInterval(Number(event.currentTarget.value))}
          data={[...new Set([...intervals, interval])]
            .toSorted((a, b) => a - b)
            .map((minutes) => ({ value: String(minutes), label: formatDuration(minutes * 60, true) }))}
        />
        <Checkbox.Group label={t('watch.regions')} value={[...regions]} onChange={setRegions}>
          <div className={classes['checks']}>
            {regionName.options.map((each) => (
              <Checkbox key={each} value={each} label={t(`region.${each}`)} />
            ))}
          </div>
        </Checkbox.Group>
        <OptionInputs form={form} />
        <p className={forms['name']}>{t('notices.title')}</p>
        {noticeKinds.map((each) => (
          <NamedSwitch
            key={each}
            name={t(`notices.${each}`)}
            on={isNotified(each)}
            onChange={(on) => setNotices((before) => ({ ...before, [each]: on }))}
          />
        ))}
        <FormEnd refusal={form.refusal} action={t('save')} busy={form.submitting} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
