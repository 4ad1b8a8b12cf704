import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ruleActions, rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import { settingCatalog, settingKeys } from '#shared/features/domains/settings/catalog.ts'
import { aiBotChoices } from '#shared/features/domains/settings/choices.ts'
import type { Entry } from './queries.ts'
import { counted, formatDateTime, formatDuration, formatNumber } from '#client/lib/format.ts'
import type { FieldName } from './field-changes.ts'
import { parameterLines } from './parameter-lines.ts'

type Named = Pick<Entry, 'subject' | 'key' | 'label'>

export interface ChangeWords {
  /** The changed object: a record by its type and name, a setting by its label. */
  title: (change: Named) => string
  /** Null if the title says it already. */
  field: (field: FieldName) => string | null
  value: (change: Named, field: FieldName, value: unknown) => string
  /** Code, addresses and similar values use a monospaced font. */
  isCode: (field: FieldName) => boolean
}

/** Settings that are on or off; those of the zone report it as a word. */
const switches: ReadonlySet<string> = new Set(settingKeys.map((key) => settingCatalog[key].id))
const codeFields: ReadonlySet<FieldName> = new Set(['content', 'name', 'type', 'expression', 'action_parameters', 'ratelimit', 'logging'])

const monthSeconds = 2_592_000
const daySeconds = 86_400

/** Converts changes to texts; unknown values are shown unchanged. */
export function useChangeWords(): ChangeWords {
  const { t } = useTranslation(['history', 'security', 'rule-names'])
  return useMemo((): ChangeWords => {
    const settings: Record<string, string> = {
      ...Object.fromEntries(settingKeys.map((key) => [settingCatalog[key].id, t(`security:${settingCatalog[key].name}`)])),
      group: t('fields.group'),
      profile: t('fields.profile'),
      registrar: t('fields.registrar'),
      tracker: t('fields.tracker'),
      paused: t('fields.paused'),
      listed: t('fields.listed'),
      account: t('fields.account'),
      cloudflare_account: t('fields.cloudflare_account'),
      status: t('fields.status'),
      name_servers: t('fields.name_servers'),
    }
    const modes: Record<string, string> = Object.fromEntries(
      (['off', 'flexible', 'full', 'strict', 'origin_pull'] as const).map((mode) => [mode, t(`security:ssl.modes.${mode}.name`)]),
    )
    const levels: Record<string, string> = Object.fromEntries(
      (['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'] as const).map((level) => [
        level,
        t(`security:level.levels.${level}.name`),
      ]),
    )
    const aiBots: Record<string, string> = Object.fromEntries(
      aiBotChoices.map((choice) => [choice, t(`security:bots.ai.choices.${choice}`)]),
    )
    const statuses: Record<string, string> = Object.fromEntries(
      (['initializing', 'pending', 'active', 'moved', 'deactivated', 'deleted'] as const).map((status) => [
        status,
        t(`statuses.${status}`),
      ]),
    )
    const phases: Record<string, string> = Object.fromEntries(rulePhases.map((phase) => [phase, t(`rule-names:phases.${phase}`)]))
    const actions: Record<string, string> = Object.fromEntries(ruleActions.map((action) => [action, t(`rule-names:actions.${action}`)]))
    const fields: Record<FieldName, string | null> = {
      type: t('fields.type'),
      name: t('fields.name'),
      content: t('fields.content'),
      priority: t('fields.priority'),
      ttl: 'TTL',
      proxied: t('fields.proxied'),
      comment: t('fields.comment'),
      tags: t('fields.tags'),
      enabled: t('fields.enabled'),
      max_age: t('fields.max_age'),
      description: t('fields.description'),
      expression: t('fields.expression'),
      action: t('fields.action'),
      action_parameters: t('fields.action_parameters'),
      ratelimit: t('fields.ratelimit'),
      logging: t('fields.logging'),
      mode: t('fields.mode'),
      note: t('fields.note'),
      expires_at: t('fields.expires_at'),
      include_subdomains: t('security:hsts.includeSubDomains.name'),
      preload: 'preload',
      nosniff: 'nosniff',
      value: null,
    }
    const age = (seconds: number): string => {
      if (seconds === 31_536_000) return t('security:hsts.months', counted(12))
      const [key, size] =
        seconds % monthSeconds === 0 ? (['security:hsts.months', monthSeconds] as const) : (['security:hsts.days', daySeconds] as const)
      const count = Math.round(seconds / size)
      return t(key, counted(count))
    }
    const plain = (value: unknown): string => {
      if (value === null || value === undefined || value === '') return t('nothing')
      if (value === 'on') return t('security:on')
      if (value === 'off') return t('security:off')
      if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
      if (typeof value === 'number') return formatNumber(value)
      if (typeof value === 'string') return value
      if (Array.isArray(value)) return value.length === 0 ? t('nothing') : value.join(', ')
      if (typeof value === 'object' && 'name' in value && typeof value.name === 'string')
        return 'version' in value && typeof value.version === 'number'
          ? t('profile_version', { name: value.name, version: formatNumber(value.version) })
          : value.name
      return JSON.stringify(value)
    }
    return {
      title({ subject, key, label }) {
        if (subject === 'record') return label
        if (subject === 'rule') return t('rule', { name: label })
        // The label starts with the mode, which is one of the fields.
        if (subject === 'ip_rule') return t('ip_rule', { value: label.slice(label.indexOf(' ') + 1) })
        if (subject === 'rule_order') return t('rule_order', { phase: phases[key] ?? key })
        return settings[key] ?? label
      },
      field: (field) => fields[field],
      isCode: (field) => codeFields.has(field),
      value: ({ subject, key }, field, value) => {
        if (subject === 'rule_order' && Array.isArray(value)) return value.join(' · ')
        if (subject === 'rule') {
          if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
          if (field === 'action' && typeof value === 'string') return actions[value] ?? value
          if (typeof value === 'object' && value !== null) return parameterLines(value).join('\n') || t('nothing')
        }
        if (field === 'mode' && typeof value === 'string')
          return value === 'whitelist' ? t('rule-names:actions.whitelist') : (actions[value] ?? value)
        if (field === 'expires_at' && typeof value === 'string') return formatDateTime(value)
        if (field === 'ttl' && typeof value === 'number') return value === 1 ? t('ttl_auto') : formatDuration(value)
        if (field === 'max_age' && typeof value === 'number') return value === 0 ? t('nothing') : age(value)
        if (field === 'value' && typeof value === 'string') {
          if (key === 'ssl') return modes[value] ?? value
          if (key === 'security_level') return levels[value] ?? value
          if (key === settingCatalog.aiBots.id) return aiBots[value] ?? value
          if (key === 'status') return statuses[value] ?? value
          if (key === 'min_tls_version') return `TLS ${value}`
        }
        if (typeof value === 'boolean' && (field === 'enabled' || switches.has(key))) return t(value ? 'security:on' : 'security:off')
        if (field === 'content' && typeof value === 'string' && value !== '') return value
        return plain(value)
      },
    }
  }, [t])
}
