import { IconAlertTriangle } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  hstsPresets,
  securityLevels,
  sslModes,
  tlsVersions,
  warningsOf,
  withHstsAge,
  type SecurityState,
} from '#shared/features/zone-settings/rules.ts'
import type { SettingsPatch } from '#shared/features/zone-settings/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { NativeSelect } from '@mantine/core'
import type { BulkFormProps } from './bulk-dialog.tsx'
import classes from './operations.module.css'

const noHeader = { enabled: false, maxAge: 0, includeSubDomains: false, preload: false, nosniff: false }
const keep = ''
/** What each domain has is seen in the preview; here it is what the choices would do together. */
const nothingKnown: SecurityState = { ssl: null, alwaysUseHttps: null, hsts: null, universalSsl: null }

/** Any of the settings; what is not chosen stays as each domain has it. */
export function SettingsForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'security'])
  const [chosen, setChosen] = useState({ ssl: keep, tls: keep, https: keep, hsts: keep, level: keep, development: keep, universal: keep })
  const [told, setTold] = useState(false)
  const set = (field: keyof typeof chosen) => (value: string) => {
    setTold(false)
    setChosen((before) => ({ ...before, [field]: value }))
  }
  const onOff = [
    { value: 'on', label: t('change.on') },
    { value: 'off', label: t('change.off') },
  ]

  const ssl = sslModes.find((mode) => mode === chosen.ssl)
  const tls = tlsVersions.find((version) => version === chosen.tls)
  const level = securityLevels.find((each) => each === chosen.level)
  const patch: SettingsPatch = {
    ...(ssl && { ssl }),
    ...(tls && { minTlsVersion: tls }),
    ...(chosen.https !== keep && { alwaysUseHttps: chosen.https === 'on' }),
    ...(chosen.hsts !== keep && { hsts: withHstsAge(noHeader, Number(chosen.hsts)) }),
    ...(level && { securityLevel: level }),
    ...(chosen.development !== keep && { developmentMode: chosen.development === 'on' }),
    ...(chosen.universal !== keep && { universalSsl: chosen.universal === 'on' }),
  }

  const submit = (): void => {
    if (Object.keys(patch).length === 0) return setTold(true)
    onSubmit({ kind: 'settings', input: { settings: patch } })
  }

  return frame(
    <>
      <p className={classes['quiet']}>{t('bulk.settings_help')}</p>
      <div className={classes['settings']}>
        <Row
          label={t('security:ssl.name')}
          value={chosen.ssl}
          onChange={set('ssl')}
          options={sslModes.map((mode) => ({ value: mode, label: t(`security:ssl.modes.${mode}.name`) }))}
        />
        <Row
          label={t('security:tls.name')}
          value={chosen.tls}
          onChange={set('tls')}
          options={tlsVersions.map((version) => ({ value: version, label: `TLS ${version}` }))}
        />
        <Row label={t('security:https.name')} value={chosen.https} onChange={set('https')} options={onOff} />
        <Row
          label={t('security:hsts.name')}
          value={chosen.hsts}
          onChange={set('hsts')}
          options={hstsPresets.map(({ months, maxAge }) => ({
            value: String(maxAge),
            label: months === 0 ? t('change.off') : t('security:hsts.months', { count: months, formatted: formatNumber(months) }),
          }))}
        />
        <Row
          label={t('security:level.name')}
          value={chosen.level}
          onChange={set('level')}
          options={securityLevels.map((level) => ({ value: level, label: t(`security:level.levels.${level}.name`) }))}
        />
        <Row
          label={t('security:development.name')}
          value={chosen.development}
          onChange={set('development')}
          options={onOff}
          note={chosen.development === 'on' ? t('security:development.help') : null}
        />
        <Row label={t('security:universal.name')} value={chosen.universal} onChange={set('universal')} options={onOff} />
      </div>
      {warningsOf(nothingKnown, patch).map(({ code }) => (
        <div key={code} className={classes['danger']} role="status">
          <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
          <p>
            <strong>{t(`security:warnings.${code}.title`)}</strong>
            {t(`security:warnings.${code}.text`)}
          </p>
        </div>
      ))}
      {told ? (
        <p role="alert" className={classes['refusal']}>
          {t('bulk.select_setting')}
        </p>
      ) : null}
    </>,
    submit,
  )
}

function Row({
  label,
  value,
  options,
  note = null,
  onChange,
}: {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  note?: string | null
  onChange: (value: string) => void
}) {
  const { t } = useTranslation('operations')
  const id = useId()
  return (
    <div className={classes['setting']} data-chosen={value !== keep || undefined}>
      <label htmlFor={id}>{label}</label>
      <NativeSelect
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[{ value: keep, label: t('bulk.keep') }, ...options]}
        {...(note !== null && { 'aria-describedby': `${id}-note` })}
      />
      {note === null ? null : (
        <p id={`${id}-note`} className={classes['note']}>
          {note}
        </p>
      )}
    </div>
  )
}
