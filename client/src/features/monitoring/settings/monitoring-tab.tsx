import { Checkbox, NativeSelect, Select, Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { region as regionName } from '#shared/features/monitoring/schema.ts'
import type { MonitoringSettings } from '#shared/features/monitoring/settings.ts'
import { auth } from '#client/lib/auth.ts'
import { formatDuration } from '#client/lib/format.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { OwnerChoice, useEverybody, useOwner } from '#client/lib/owner-choice.tsx'
import { ChannelsSection, NoticesSection, TelegramSection, WindowsSection } from '#client/features/alerts/settings/index.ts'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import { OverridesSection } from './overrides-section.tsx'
import { StatusPagesSection } from './status-pages-section.tsx'
import { useMonitoringSettings, useSaveMonitoring, type SettingsPart } from './queries.ts'
import { OptionInputs } from './option-inputs.tsx'
import { optionTexts } from './option-texts.ts'
import classes from '../monitoring.module.css'

const intervals = [1, 2, 3, 5, 10, 15, 30, 60, 120, 360, 720, 1440]

/** The settings of monitoring and alerts (R-MON-01, R-MON-02): the user's own, and for administrators those of the selected owner (R-PRM-02). */
export function MonitoringTab() {
  const { t } = useTranslation('monitoring')
  const { everybody, loading } = useEverybody()
  const me = auth.use().user?.id
  const [selected, setSelected] = useState<string>()
  return (
    <>
      {everybody.length === 0 ? null : (
        <Select
          className={classes['whose'] ?? ''}
          label={t('owner')}
          data={everybody.map(({ id, name }) => ({ value: id, label: name }))}
          value={selected ?? me ?? null}
          allowDeselect={false}
          searchable
          onChange={(id) => setSelected(id === null || id === me ? undefined : id)}
        />
      )}
      <OwnerChoice value={selected}>
        <SettingsOfOwner key={selected ?? ''} waiting={loading} />
      </OwnerChoice>
    </>
  )
}

/** `waiting`: content above has not loaded yet and would move this. */
function SettingsOfOwner({ waiting }: { waiting: boolean }) {
  const { t } = useTranslation('monitoring')
  const { query, settings, change } = useMonitoringSettings()
  const save = useSaveMonitoring()
  const owner = useOwner()
  if (settings === undefined || waiting) {
    return query.isError ? (
      <ErrorState title={t('failed.load')} error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <div className={`column gap-28 ${classes['wait']}`} role="status" aria-busy>
        <span className="sr-only">{t('loading')}</span>
        {[30, 55, 40].map((width) => (
          <Skeleton key={width} width={`${width}%`} height={14} />
        ))}
      </div>
    )
  }
  const part = { settings, change }
  return (
    <>
      <FormSection title={t('watch.title')} text={t('watch.text')}>
        <NamedSwitch
          name={t('watch.enabled')}
          help={t(settings.enabled ? 'watch.on' : 'watch.off')}
          on={settings.enabled}
          onChange={(enabled) => change({ enabled })}
        />
        <Regions {...part} />
        <NativeSelect
          className={classes['short'] ?? ''}
          label={t('watch.interval')}
          description={t('watch.interval_help')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={String(settings.checkInterval)}
          onChange={(event) => change({ checkInterval: Number(event.currentTarget.value) })}
          data={[...new Set([...intervals, settings.checkInterval])]
            .toSorted((a, b) => a - b)
            .map((minutes) => ({ value: String(minutes), label: formatDuration(minutes * 60, true) }))}
        />
        <NamedSwitch
          name={t('watch.second')}
          help={t('watch.second_help')}
          on={settings.secondOpinion}
          onChange={(secondOpinion) => change({ secondOpinion })}
        />
      </FormSection>
      <TelegramSection
        key={`${settings.telegram.chatId} ${String(settings.telegram.configured)}`}
        settings={settings}
        onSave={(telegram) => save.mutateAsync({ ...owner, telegram })}
      />
      <NoticesSection {...part} />
      <ChannelsSection />
      <OptionsSection key={JSON.stringify(settings.options)} settings={settings} />
      <OverridesSection settings={settings} />
      <WindowsSection />
      <StatusPagesSection />
    </>
  )
}

function Regions({ settings: { regions }, change }: SettingsPart) {
  const { t } = useTranslation(['monitoring', 'faults'])
  const [refused, setRefused] = useState(false)
  return (
    <Checkbox.Group
      label={t('watch.regions')}
      description={t('watch.regions_help')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={refused ? t('faults:region_needed') : undefined}
      value={[...regions]}
      onChange={(values) => {
        const selected = regionName.options.filter((each) => values.includes(each))
        // The last region cannot be removed, because nothing would be checked.
        setRefused(selected.length === 0)
        if (selected.length > 0) change({ regions: selected })
      }}
    >
      <div className={classes['checks']}>
        {regionName.options.map((each) => (
          <Checkbox key={each} value={each} label={t(`region.${each}`)} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** How domains are checked, and how many failures count as down. */
function OptionsSection({ settings: { options } }: { settings: MonitoringSettings }) {
  const { t } = useTranslation('monitoring')
  const save = useSaveMonitoring()
  const owner = useOwner()
  const form = useForm({
    initial: optionTexts(options),
    schema: async () => (await import('#shared/features/monitoring/settings.ts')).optionFields,
    onSubmit: async (changed) => {
      await save.mutateAsync({ ...owner, options: changed })
    },
    refusalOf: messageOf,
  })
  return (
    <FormSection title={t('options.title')} text={t('options.text')}>
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        <OptionInputs form={form} />
        <Problem text={form.refusal} />
        <div className="flex wrap gap-8">
          <Button type="submit" loading={form.submitting}>
            {t('save')}
          </Button>
        </div>
      </form>
    </FormSection>
  )
}
