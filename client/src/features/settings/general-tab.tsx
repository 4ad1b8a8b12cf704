import { SegmentedControl, Select } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PanelSettings } from '#shared/features/settings/schema.ts'
import { defaultLanguages, localeOf } from '#shared/i18n/languages.ts'
import { formatTimeIn, useNow } from '#client/lib/format.ts'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { Switch } from '#client/ui/form/switch.tsx'
import { NumberChoice, useDaysWords } from './number-choice.tsx'
import { SettingsFrame, type Change } from './settings-frame.tsx'
import classes from './settings.module.css'

const retentions = [30, 90, 180, 365, 730, 1095, 3650]

/** Registration, and the language and time zone of the panel. */
export function GeneralTab() {
  const { t } = useTranslation('settings')
  const daysWords = useDaysWords()
  return (
    <SettingsFrame>
      {(settings, change) => (
        <>
          <FormSection title={t('registration.title')} text={t('registration.text')}>
            <div className="flex gap-12 top">
              <Switch
                labelledBy="settings-registration"
                describedBy="settings-registration-help"
                on={settings.registration === 'open'}
                onChange={(open) => change({ registration: open ? 'open' : 'closed' })}
              />
              <div>
                <span id="settings-registration" className="block size-13 line-20 medium">
                  {t('registration.name')}
                </span>
                <span id="settings-registration-help" className={`block size-12 muted pretty ${classes['help']}`}>
                  {t(`registration.${settings.registration}`)}
                </span>
              </div>
            </div>
          </FormSection>
          <FormSection title={t('language.title')} text={t('language.text')}>
            <SegmentedControl
              className="self-start within"
              aria-label={t('language.title')}
              value={settings.defaultLanguage}
              onChange={(value) => {
                const selected = defaultLanguages.find((each) => each === value)
                if (selected !== undefined) change({ defaultLanguage: selected })
              }}
              data={defaultLanguages.map((value) => ({
                value,
                label: value === 'browser' ? t('language.browser') : localeOf[value].name,
              }))}
            />
          </FormSection>
          <FormSection title={t('time_zone.title')} text={t('time_zone.text')}>
            <TimeZone settings={settings} change={change} />
          </FormSection>
          <FormSection title={t('retention.title')} text={t('retention.text')}>
            <NumberChoice
              label={t('retention.name')}
              usual={retentions}
              value={settings.activityRetentionDays}
              words={daysWords}
              onChange={(activityRetentionDays) => change({ activityRetentionDays })}
            />
          </FormSection>
        </>
      )}
    </SettingsFrame>
  )
}

function TimeZone({ settings: { timeZone }, change }: { settings: PanelSettings; change: Change }) {
  const { t } = useTranslation('settings')
  const now = useNow()
  // The likely ones first: the current value, and the administrator's time zone.
  const zones = useMemo(
    () => [
      ...new Set([timeZone, new Intl.DateTimeFormat().resolvedOptions().timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone').toSorted()]),
    ],
    [timeZone],
  )
  return (
    <Select
      maw={320}
      label={t('time_zone.name')}
      description={t('time_zone.now', { time: formatTimeIn(timeZone, now) })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      searchable
      allowDeselect={false}
      checkIconPosition="right"
      limit={100}
      maxDropdownHeight={280}
      nothingFoundMessage={t('time_zone.none')}
      value={timeZone}
      data={zones}
      onChange={(zone) => {
        if (zone !== null && zone !== timeZone) change({ timeZone: zone })
      }}
    />
  )
}
