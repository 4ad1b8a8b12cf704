import { useTranslation } from 'react-i18next'
import { aiBotChoices } from '#shared/features/domains/settings/choices.ts'
import { Switch } from '#client/ui/form/switch.tsx'
import { ChoiceGroup, withPresent } from './choice-group.tsx'
import { SettingRow } from './setting-row.tsx'
import { useRow } from './use-row.ts'
import type { ZoneSettings } from './queries.ts'
import classes from './security-tab.module.css'

/** What Cloudflare does with bots and AI crawlers. */
export function BotsSection({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  return (
    <section className={classes['section']} aria-labelledby="security-bots">
      <h2 id="security-bots" className={classes['title']}>
        {t('bots.title')}
      </h2>
      <SwitchRow zone={zone} setting="botFightMode" texts="fight_mode" />
      <AiBotsRow zone={zone} />
      <SwitchRow zone={zone} setting="aiLabyrinth" texts="labyrinth" />
      <SwitchRow zone={zone} setting="managedRobotsTxt" texts="robots" />
    </section>
  )
}

function SwitchRow({
  zone,
  setting,
  texts,
}: {
  zone: ZoneSettings
  setting: 'botFightMode' | 'aiLabyrinth' | 'managedRobotsTxt'
  texts: 'fight_mode' | 'labyrinth' | 'robots'
}) {
  const { t } = useTranslation('security')
  const { value, disabled, row, change } = useRow(zone, setting, {
    name: t(`bots.${texts}.name`),
    failure: t(`bots.${texts}.failed`),
    wordsOf: (on) => t(on ? 'on' : 'off'),
  })
  return (
    <SettingRow {...row} help={t(`bots.${texts}.help`)} place="switch">
      {(ids) => <Switch {...ids} on={value === true} disabled={disabled} onChange={change} />}
    </SettingRow>
  )
}

function AiBotsRow({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  const { value, disabled, row, change } = useRow(zone, 'aiBots', {
    name: t('bots.ai.name'),
    failure: t('bots.ai.failed'),
    wordsOf: (choice) => t(`bots.ai.choices.${choice}`),
  })
  return (
    <SettingRow {...row} help={t('bots.ai.help')} place="below">
      {({ labelledBy }) => (
        <div>
          <ChoiceGroup
            look="segments"
            labelledBy={labelledBy}
            value={value}
            disabled={disabled}
            choices={withPresent(
              aiBotChoices.map((choice) => ({ value: choice, label: t(`bots.ai.choices.${choice}`) })),
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
