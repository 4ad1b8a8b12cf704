import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { hstsPresetOf } from '#shared/features/zone-settings/rules.ts'
import { hstsSetting, settingsPatch } from '#shared/features/zone-settings/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import type { ItemChange, ShownRecord } from './item-changes.ts'

/** A change in words: what it is, and its two sides. */
export interface ChangeWords {
  label: string
  from: string | null
  to: string | null
  mono: boolean
}

const daySeconds = 86_400

const names = {
  ssl: 'security:ssl.name',
  minTlsVersion: 'security:tls.name',
  alwaysUseHttps: 'security:https.name',
  hsts: 'security:hsts.name',
  securityLevel: 'security:level.name',
  developmentMode: 'security:development.name',
  universalSsl: 'security:universal.name',
} as const satisfies Record<keyof (typeof settingsPatch)['shape'], string>

/** The name within its domain, which is said beside it. */
const labelIn = (name: string, domain: string): string =>
  name === domain ? '@' : name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name

/** `kind` tells what ‘the whole of it’ means. */
export function useChangeWords(kind: string): (change: ItemChange, domain: string) => ChangeWords {
  const { t } = useTranslation(['operations', 'security'])

  const settingValue = useCallback(
    (key: string, value: unknown): string => {
      if (value === null || value === undefined) return t('change.unknown')
      if (typeof value === 'boolean') return t(value ? 'change.on' : 'change.off')
      if (key === 'ssl') {
        const mode = settingsPatch.shape.ssl.safeParse(value).data
        if (mode !== undefined) return t(`security:ssl.modes.${mode}.name`)
      }
      if (key === 'securityLevel') {
        const level = settingsPatch.shape.securityLevel.safeParse(value).data
        if (level !== undefined) return t(`security:level.levels.${level}.name`)
      }
      if (key === 'hsts') {
        const header = hstsSetting.safeParse(value).data
        if (header === undefined) return t('change.unknown')
        if (!header.enabled) return t('change.off')
        const months = hstsPresetOf(header)?.months
        if (months !== undefined) return t('security:hsts.months', { count: months, formatted: formatNumber(months) })
        const days = Math.round(header.maxAge / daySeconds)
        return t('security:hsts.days', { count: days, formatted: formatNumber(days) })
      }
      return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
    },
    [t],
  )

  return useCallback(
    (change, domain) => {
      if (change.kind === 'setting') {
        const known = Object.entries(names).find(([key]) => key === change.key)?.[1]
        return {
          label: known === undefined ? change.key : t(known),
          from: settingValue(change.key, change.from),
          to: settingValue(change.key, change.to),
          mono: false,
        }
      }
      if (change.kind === 'group') {
        const none = t('change.no_group')
        return { label: t('group.label'), from: change.from ?? none, to: change.to ?? none, mono: false }
      }
      if (change.kind === 'record') {
        const one = change.to ?? change.from
        const { from, to } = change
        const proxy = from !== null && to !== null && from.proxied !== to.proxied
        const side = (record: ShownRecord | null): string | null =>
          record === null
            ? null
            : [
                record.priority ?? null,
                record.content,
                (proxy || to === null || from === null) && record.proxied ? `(${t('change.proxied')})` : null,
              ]
                .filter((part) => part !== null)
                .join(' ')
        return { label: one === null ? '' : `${one.type} ${labelIn(one.name, domain)}`, from: side(from), to: side(to), mono: true }
      }
      const { records } = change
      const label =
        records !== null
          ? t('preview.records', { count: records, formatted: formatNumber(records) })
          : kind === 'purge'
            ? t('change.purge')
            : kind === 'refresh'
              ? t('change.refresh')
              : ''
      return { label, from: null, to: null, mono: false }
    },
    [kind, settingValue, t],
  )
}
