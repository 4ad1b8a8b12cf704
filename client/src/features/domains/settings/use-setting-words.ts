import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import { aiBotChoices, securityLevels, sslModes } from '#shared/features/domains/settings/choices.ts'
import { hstsPresetOf, readHsts } from '#shared/features/domains/settings/rules.ts'
import { counted } from '#client/lib/format.ts'

export interface SettingWords {
  /** The label of the setting; an unknown one is shown by its key. */
  name: (key: string) => string
  /** Null if unknown. */
  value: (key: string, value: unknown) => string | null
}

const daySeconds = 86_400

/** Converts the keys and values of a settings patch to texts. */
export function useSettingWords(): SettingWords {
  const { t } = useTranslation('security')
  return useMemo((): SettingWords => {
    const value = (key: string, given: unknown): string | null => {
      if (given === null || given === undefined) return null
      if (typeof given === 'boolean') return t(given ? 'on' : 'off')
      if (key === 'ssl') {
        const mode = ([...sslModes, 'origin_pull'] as const).find((each) => each === given)
        if (mode !== undefined) return t(`ssl.modes.${mode}.name`)
      }
      if (key === 'securityLevel') {
        const level = (['off', ...securityLevels] as const).find((each) => each === given)
        if (level !== undefined) return t(`level.levels.${level}.name`)
      }
      if (key === 'aiBots') {
        const choice = aiBotChoices.find((each) => each === given)
        if (choice !== undefined) return t(`bots.ai.choices.${choice}`)
      }
      if (key === 'hsts') {
        const header = typeof given === 'object' ? readHsts({ ...given }) : null
        if (header === null) return null
        if (!header.enabled) return t('off')
        const months = hstsPresetOf(header)?.months
        const days = Math.round(header.maxAge / daySeconds)
        const age = months === undefined ? t('hsts.days', counted(days)) : t('hsts.months', counted(months))
        const options = (['includeSubDomains', 'preload', 'nosniff'] as const).filter((option) => header[option])
        return [age, ...options.map((option) => t(`hsts.${option}.short`))].join(', ')
      }
      if (key === 'minTlsVersion' && typeof given === 'string') return `TLS ${given}`
      return typeof given === 'string' || typeof given === 'number' ? String(given) : JSON.stringify(given)
    }
    return {
      name: (key) => {
        const known = Object.entries(settingCatalog).find(([each]) => each === key)?.[1].name
        return known === undefined ? key : t(known)
      },
      value,
    }
  }, [t])
}
