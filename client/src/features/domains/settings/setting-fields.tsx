import { Checkbox, NativeSelect } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { aiBotChoices, securityLevels, sslModes, tlsVersions } from '#shared/features/domains/settings/choices.ts'
import { hstsPresets, unknownState, warningsOf, withHstsAge } from '#shared/features/domains/settings/rules.ts'
import type { HstsSetting, SettingKey, SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { useSettingWords } from './use-setting-words.ts'
import classes from './setting-fields.module.css'

const keep = ''
const noHeader = { enabled: false, maxAge: 0, includeSubDomains: false, preload: false, nosniff: false }
const values = {
  ssl: sslModes,
  minTlsVersion: tlsVersions,
  alwaysUseHttps: [true, false],
  hsts: hstsPresets.map(({ maxAge }) => withHstsAge(noHeader, maxAge)),
  securityLevel: securityLevels,
  developmentMode: [true, false],
  universalSsl: [true, false],
  botFightMode: [true, false],
  aiBots: aiBotChoices,
  aiLabyrinth: [true, false],
  managedRobotsTxt: [true, false],
  dnssec: [true, false],
} as const satisfies { [Key in SettingKey]: readonly SettingsPatch[Key][] }
const hstsOptions = ['includeSubDomains', 'preload', 'nosniff'] as const
const keys = Object.keys(values) as SettingKey[]

/** Settings for many domains; fields without a choice stay unchanged. */
export function SettingFields({
  value,
  unset,
  without = [],
  onChange,
}: {
  value: SettingsPatch
  /** The label of the choice that keeps a setting. */
  unset: string
  without?: readonly SettingKey[]
  onChange: (value: SettingsPatch) => void
}) {
  const { t } = useTranslation('security')
  return (
    <>
      <div className="column">
        {keys
          .filter((key) => !without.includes(key))
          .map((key) => (
            <Row
              key={key}
              setting={key}
              value={value[key]}
              unset={unset}
              note={key === 'developmentMode' && value[key] === true ? t('development.help') : null}
              onChange={(selected) => {
                const next =
                  typeof selected === 'object' ? withHstsAge(value.hsts ?? noHeader, selected.enabled ? selected.maxAge : 0) : selected
                const { [key]: _before, ...others } = value
                onChange(next === undefined ? others : { ...others, [key]: next })
              }}
            >
              {key === 'hsts' && value.hsts?.enabled === true ? (
                <HstsOptions header={value.hsts} onChange={(hsts) => onChange({ ...value, hsts })} />
              ) : null}
            </Row>
          ))}
      </div>
      {/* The state of each domain is checked later; here only the combination of the choices. */}
      {warningsOf(unknownState, value).map(({ code }) => (
        <WarningBox key={code} live title={t(`warnings.${code}.title`)}>
          {t(`warnings.${code}.text`)}
        </WarningBox>
      ))}
    </>
  )
}

type Value = SettingsPatch[SettingKey]
const textOf = (value: Value): string =>
  value === undefined
    ? keep
    : typeof value === 'object'
      ? String(value.enabled ? value.maxAge : 0)
      : typeof value === 'boolean'
        ? value
          ? 'on'
          : 'off'
        : value

function Row({
  setting,
  value,
  unset,
  note,
  children,
  onChange,
}: {
  setting: SettingKey
  value: Value
  unset: string
  note: string | null
  children?: ReactNode
  onChange: (value: Value) => void
}) {
  const words = useSettingWords()
  const id = useId()
  const offered: readonly Value[] = values[setting]
  // A value that this form does not offer is listed too.
  const all = offered.some((each) => textOf(each) === textOf(value)) || value === undefined ? offered : [...offered, value]
  return (
    <div className={`grid gap-12 middle size-13 secondary divided ${classes['setting']}`} data-chosen={value !== undefined || undefined}>
      <label htmlFor={id}>{words.name(setting)}</label>
      <NativeSelect
        id={id}
        value={textOf(value)}
        onChange={(event) => onChange(all.find((each) => textOf(each) === event.currentTarget.value))}
        data={[
          { value: keep, label: unset },
          ...all.map((each) => ({ value: textOf(each), label: words.value(setting, each) ?? textOf(each) })),
        ]}
        {...(note !== null && { 'aria-describedby': `${id}-note` })}
      />
      {note === null ? null : (
        <p id={`${id}-note`} className="size-12 regular secondary across">
          {note}
        </p>
      )}
      {children}
    </div>
  )
}

/** The options of the header besides its age (R-DET-03). */
function HstsOptions({ header, onChange }: { header: HstsSetting; onChange: (header: HstsSetting) => void }) {
  const { t } = useTranslation('security')
  return (
    <div className="column gap-8 regular across">
      {hstsOptions.map((option) => (
        <Checkbox
          key={option}
          size="xs"
          label={t(`hsts.${option}.name`)}
          description={t(`hsts.${option}.help`)}
          checked={header[option]}
          onChange={(event) => onChange({ ...header, [option]: event.currentTarget.checked })}
        />
      ))}
    </div>
  )
}
