import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Notices } from '#shared/features/monitoring/schema.ts'
import type { MonitoringSettings } from '#shared/features/monitoring/settings.ts'
import { localeOf } from '#shared/i18n/languages.ts'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import forms from '#client/ui/form/form.module.css'
import classes from '../alerts.module.css'

export const noticeKinds = ['statusChange', 'dnsMismatch', 'sslIssues', 'traffic', 'recovery'] as const
const languages = ['ru', 'en'] as const

interface Props {
  settings: MonitoringSettings
  change: (part: Partial<Pick<MonitoringSettings, 'quietHours' | 'language'>> & { notifications?: Partial<Notices> }) => void
}

/** Which alerts are sent, in which language, and the quiet hours. */
export function NoticesSection({ settings: { notifications, quietHours, language }, change }: Props) {
  const { t } = useTranslation('monitoring')
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = useMemo(
    () => [...new Set([quietHours?.timeZone ?? here, here, 'UTC', ...Intl.supportedValuesOf('timeZone').toSorted()])],
    [quietHours?.timeZone, here],
  )
  return (
    <FormSection title={t('notices.title')} text={t('notices.text')}>
      {noticeKinds.map((each) => (
        <NamedSwitch
          key={each}
          name={t(`notices.${each}`)}
          help={t(`notices.${each}_help`)}
          on={notifications[each]}
          onChange={(on) => change({ notifications: { [each]: on } })}
        />
      ))}
      <div>
        <span className={forms['name']}>{t('notices.language')}</span>
        <SegmentedControl
          aria-label={t('notices.language')}
          value={language}
          onChange={(value) => {
            const selected = languages.find((each) => each === value)
            if (selected !== undefined) change({ language: selected })
          }}
          data={languages.map((value) => ({ value, label: localeOf[value].name }))}
        />
      </div>
      <NamedSwitch
        name={t('quiet.title')}
        help={t('quiet.text')}
        on={quietHours !== null}
        onChange={(on) => change({ quietHours: on ? { from: '22:00', to: '08:00', timeZone: here } : null })}
      />
      {quietHours === null ? null : (
        <div className={`grid gap-12 ${classes['quiet']}`}>
          {(['from', 'to'] as const).map((side) => (
            <TextInput
              key={side}
              type="time"
              label={t(`quiet.${side}`)}
              value={quietHours[side]}
              onChange={(event) => {
                if (event.currentTarget.value !== '') change({ quietHours: { ...quietHours, [side]: event.currentTarget.value } })
              }}
            />
          ))}
          <Select
            label={t('quiet.zone')}
            searchable
            allowDeselect={false}
            limit={100}
            value={quietHours.timeZone}
            data={zones}
            onChange={(timeZone) => {
              if (timeZone !== null) change({ quietHours: { ...quietHours, timeZone } })
            }}
          />
        </div>
      )}
    </FormSection>
  )
}
