import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import { hstsPresetOf } from '#shared/features/domains/settings/rules.ts'
import { hstsSetting, settingsPatch } from '#shared/features/domains/settings/schema.ts'
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
        const mode = settingsPatch.shape.ssl.safeParse(given).data
        if (mode !== undefined) return t(`ssl.modes.${mode}.name`)
      }
      if (key === 'securityLevel') {
        const level = settingsPatch.shape.securityLevel.safeParse(given).data
        if (level !== undefined) return t(`level.levels.${level}.name`)
      }
      if (key === 'hsts') {
        const header = hstsSetting.safeParse(given).data
        if (header === undefined) return null
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
