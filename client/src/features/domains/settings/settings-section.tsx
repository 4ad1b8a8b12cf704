import { useTranslation } from 'react-i18next'
import { securityLevels, sslModes, tlsVersions } from '#shared/features/domains/settings/choices.ts'
import {
  hstsPresetOf,
  hstsPresets,
  unknownState,
  warningsOf,
  withHstsAge,
  type SecurityState,
  type WarningCode,
} from '#shared/features/domains/settings/rules.ts'
import type { HstsSetting } from '#shared/features/domains/settings/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { Switch } from '#client/ui/form/switch.tsx'
import { ChoiceGroup, withPresent } from './choice-group.tsx'
import { DevelopmentModeRow } from './development-mode-row.tsx'
import { SettingRow } from './setting-row.tsx'
import { SslModePicture } from './ssl-mode-picture.tsx'
import { useRow } from './use-row.ts'
import type { ZoneSettings } from './queries.ts'
import classes from './security-tab.module.css'

/** All settings of R-DET-03, each changed separately. */
export function SettingsSection({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  const dangers = currentWarnings(zone.state)
  return (
    <section className={classes['section']} aria-labelledby="security-settings">
      <h2 id="security-settings" className={classes['title']}>
        {t('settings')}
      </h2>
      {dangers.map((code) => (
        <div key={code} className={classes['danger']}>
          <WarningBox title={t(`warnings.${code}.title`)}>{t(`warnings.${code}.text`)}</WarningBox>
        </div>
      ))}
      <SslModeRow zone={zone} />
      <MinTlsRow zone={zone} />
      <AlwaysHttpsRow zone={zone} />
      <HstsRow zone={zone} />
      <SecurityLevelRow zone={zone} />
      <DevelopmentModeRow zone={zone} />
    </section>
  )
}

/** Dangers of the current state, regardless of who caused them. */
const currentWarnings = ({ ssl, alwaysUseHttps, hsts, universalSsl }: SecurityState): WarningCode[] =>
  warningsOf(unknownState, {
    ...(isMode(ssl) && { ssl }),
    ...(alwaysUseHttps !== null && { alwaysUseHttps }),
    ...(hsts !== null && { hsts: { ...absent, enabled: hsts } }),
    ...(universalSsl !== null && { universalSsl }),
  }).flatMap(({ code, severity }) => (severity === 'danger' ? [code] : []))

const absent: HstsSetting = { enabled: false, maxAge: 0, includeSubDomains: false, preload: false, nosniff: false }
const isMode = (mode: string | null): mode is (typeof sslModes)[number] => sslModes.some((each) => each === mode)

function SslModeRow({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  const { value, disabled, row, change } = useRow(zone, 'ssl', {
    name: t('ssl.name'),
    failure: t('ssl.failed'),
    wordsOf: (mode) => t(`ssl.modes.${mode}.name`),
  })
  const modes = value === 'origin_pull' ? ([...sslModes, 'origin_pull'] as const) : sslModes
  return (
    <SettingRow {...row} help={t('ssl.help')} place="below">
      {({ labelledBy }) => (
        <ChoiceGroup
          look="cards"
          labelledBy={labelledBy}
          value={value}
          disabled={disabled}
          choices={modes.map((mode) => ({
            value: mode,
            label: t(`ssl.modes.${mode}.name`),
            help: t(`ssl.modes.${mode}.help`),
            picture: <SslModePicture mode={mode} />,
          }))}
          onChoose={change}
        />
      )}
    </SettingRow>
  )
}

function MinTlsRow({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  const { value, disabled, row, change } = useRow(zone, 'minTlsVersion', {
    name: t('tls.name'),
    failure: t('tls.failed'),
    wordsOf: (version) => `TLS ${version}`,
  })
  const known = tlsVersions.find((version) => version === value)
  return (
    <SettingRow
      {...row}
      help={known === undefined ? t('tls.help') : t(`tls.versions.${known.replace('.', '_') as '1_0' | '1_1' | '1_2' | '1_3'}`)}
    >
      {({ labelledBy }) => (
        <ChoiceGroup
          look="segments"
          labelledBy={labelledBy}
          value={value}
          disabled={disabled}
          choices={withPresent(
            tlsVersions.map((version) => ({ value: version, label: version })),
            value,
            value ?? '',
          )}
          onChoose={change}
        />
      )}
    </SettingRow>
  )
}

function AlwaysHttpsRow({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  const { value, disabled, row, change } = useRow(zone, 'alwaysUseHttps', {
    name: t('https.name'),
    failure: t('https.failed'),
    wordsOf: (on) => t(on ? 'on' : 'off'),
  })
  return (
    <SettingRow {...row} help={t('https.help')} place="switch">
      {(ids) => <Switch {...ids} on={value === true} disabled={disabled} onChange={change} />}
    </SettingRow>
  )
}

const options = ['includeSubDomains', 'preload', 'nosniff'] as const
const daySeconds = 86_400

function HstsRow({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  const age = (header: HstsSetting): string => {
    const months = hstsPresetOf(header)?.months
    if (months === 0) return t('off')
    if (months !== undefined) return t('hsts.months', counted(months))
    const days = Math.round(header.maxAge / daySeconds)
    return t('hsts.days', counted(days))
  }
  const { value, disabled, row, change } = useRow(zone, 'hsts', {
    name: t('hsts.name'),
    failure: t('hsts.failed'),
    wordsOf: (header) =>
      [age(header), ...options.filter((option) => header.enabled && header[option]).map((option) => t(`hsts.${option}.short`))].join(', '),
  })
  const header = value ?? absent
  const selected = value === null ? null : String(header.enabled ? header.maxAge : 0)
  return (
    <SettingRow {...row} help={t('hsts.help')} place="below">
      {({ labelledBy }) => (
        <>
          <div>
            <ChoiceGroup
              look="segments"
              labelledBy={labelledBy}
              value={selected}
              disabled={disabled}
              choices={withPresent(
                hstsPresets.map(({ months, maxAge }) => ({
                  value: String(maxAge),
                  label: months === 0 ? t('off') : t('hsts.months_short', { formatted: formatNumber(months) }),
                })),
                selected,
                age(header),
              )}
              onChoose={(maxAge) => change(withHstsAge(header, Number(maxAge)))}
            />
          </div>
          {header.enabled ? (
            <ul className={`column gap-10 ${classes['options']}`}>
              {options.map((option) => (
                <li key={option}>
                  <Switch
                    labelledBy={`hsts-${option}`}
                    describedBy={`hsts-${option}-help`}
                    on={header[option]}
                    disabled={disabled}
                    onChange={(on) => change({ ...header, [option]: on })}
                  />
                  <div>
                    <span id={`hsts-${option}`}>{t(`hsts.${option}.name`)}</span>
                    <span id={`hsts-${option}-help`} className={`size-12 secondary ${classes['help']}`}>
                      {t(`hsts.${option}.help`)}
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          ) : null}
        </>
      )}
    </SettingRow>
  )
}

function SecurityLevelRow({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  const { value, disabled, row, change } = useRow(zone, 'securityLevel', {
    name: t('level.name'),
    failure: t('level.failed'),
    wordsOf: (level) => t(`level.levels.${level}.name`),
  })
  const levels = value === 'off' ? (['off', ...securityLevels] as const) : securityLevels
  const known = levels.find((level) => level === value)
  return (
    <SettingRow {...row} help={known === undefined ? t('level.help') : t(`level.levels.${known}.help`)} place="below">
      {({ labelledBy }) => (
        <div>
          <ChoiceGroup
            look="segments"
            labelledBy={labelledBy}
            value={value}
            disabled={disabled}
            choices={withPresent(
              levels.map((level) => ({ value: level, label: t(`level.levels.${level}.name`) })),
              value,
              value ?? '',
            )}
            onChoose={change}
          />
        </div>
      )}
    </SettingRow>
  )
}
