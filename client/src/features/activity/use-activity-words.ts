import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isErrorCode } from '#shared/errors/codes.ts'
import { namedActivityFields } from '#shared/features/activity/details.ts'
import { settingCatalog, settingKeys } from '#shared/features/domains/settings/catalog.ts'
import { shareLevels } from '#shared/features/sharing/rules.ts'
import { isLanguage, localeOf } from '#shared/i18n/languages.ts'
import { useChangeWords } from '#client/features/domains/index.ts'
import { kindNames } from '#client/features/operations/index.ts'
import { codeWords } from '#client/lib/errors.ts'
import { formatDateTime, formatNumber } from '#client/lib/format.ts'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { choiceOf, describeDetails, type Detail } from './describe-details.ts'
import type { Entry } from './search.ts'

/** Settings of a domain with the labels of the history. */
const settings: Readonly<Record<string, string>> = Object.fromEntries(settingKeys.map((key) => [key, settingCatalog[key].id]))

export const actionTones: Record<Entry['action'], Tone> = {
  create: 'good',
  update: 'info',
  delete: 'warn',
  sync: 'idle',
  login: 'info',
  logout: 'idle',
  reveal: 'warn',
  denied: 'bad',
}

interface DetailWords {
  label: string
  /** Null if there is no previous value. */
  from: string | null
  to: string
}

export interface ActivityWords {
  action: (action: Entry['action']) => string
  entity: (entity: Entry['entityType']) => string
  kind: (kind: Entry['actor']['kind']) => string
  who: (entry: Entry) => string
  owner: (entry: Entry) => string
  /** The name of the affected resource, or its kind if it has none. */
  what: (entry: Entry) => string
  details: (entry: Pick<Entry, 'details'>) => DetailWords[]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const instants: ReadonlySet<string> = new Set(['expiresAt', 'startsAt', 'endsAt', 'muted', 'checksPaused'])
/** Settings that are not a named resource. */
const ownSettings = ['panel', 'monitoring', 'calendar'] as const

/** Converts log entries to texts; unknown values are shown unchanged. */
export function useActivityWords(): ActivityWords {
  const { t } = useTranslation(['activity', 'operations', 'common'])
  const change = useChangeWords()
  return useMemo((): ActivityWords => {
    const operation = (kind: string): string => {
      const known = kindNames.find((each) => each === kind)
      return known === undefined ? kind : t(`operations:kinds.${known}`)
    }
    const label = (key: string): string => {
      const setting = settings[key]
      if (setting !== undefined) return change.title({ subject: 'setting', key: setting, label: key })
      const known = namedActivityFields.find((each) => each === key)
      return known === undefined ? key : t(`fields.${known}`)
    }
    const plain = (value: unknown): string => {
      if (value === null || value === undefined || value === '') return '—'
      if (typeof value === 'boolean') return t(value ? 'values.yes' : 'values.no')
      if (typeof value === 'number') return formatNumber(value)
      if (typeof value === 'string') return value
      if (Array.isArray(value)) return value.length === 0 ? '—' : value.map(plain).join(', ')
      if (!isObject(value)) return ''
      const { type, name, content } = value
      // A DNS record, or a named object.
      if (typeof content === 'string') return [type, name, content].filter((part) => typeof part === 'string').join(' ')
      return typeof name === 'string' ? name : several(value)
    }
    const range = (from: unknown, to: unknown): string => (from === to ? plain(from) : `${plain(from)}–${plain(to)}`)
    const valueOf = (key: string, value: unknown): string => {
      const setting = settings[key]
      if (setting === undefined) {
        if ((key === 'why' || key === 'error') && typeof value === 'string' && isErrorCode(value)) return codeWords(value)
        if (key === 'access') {
          const level = shareLevels.find((each) => each === value)
          return level === undefined ? t('values.none') : t(`common:shared.level.${level}`)
        }
        const choice = choiceOf(key, value)
        if (choice !== null) return t(`values.${choice}`)
        if (instants.has(key) && typeof value === 'string') return formatDateTime(value)
        if (key === 'groupIds') return Array.isArray(value) ? formatNumber(value.length) : t('values.all')
        if (key === 'quietHours' && isObject(value)) return `${range(value['from'], value['to'])} (${plain(value['timeZone'])})`
        if (key === 'expectedStatus' && Array.isArray(value))
          return value.map((each) => (isObject(each) ? range(each['from'], each['to']) : plain(each))).join(', ')
        if (key === 'language' || key === 'defaultLanguage')
          return isLanguage(value) ? localeOf[value].name : value === null ? t('values.browser') : plain(value)
        if (key === 'settings' && isObject(value)) return several(value)
        if (Array.isArray(value) && value.length > 0) return value.map((each) => valueOf(key, each)).join(', ')
        return key === 'kind' && typeof value === 'string' ? operation(value) : plain(value)
      }
      const header = isObject(value) ? (value['strict_transport_security'] ?? value) : undefined
      const shown = isObject(header) ? header['enabled'] : value
      if (value === null || value === undefined) return '—'
      return change.value({ subject: 'setting', key: setting, label: key }, isObject(header) ? 'enabled' : 'value', shown)
    }
    const settingsName = (name: string): string => {
      const own = ownSettings.find((each) => each === name)
      return own === undefined ? name : t(`own_settings.${own}`)
    }
    const several = (values: Readonly<Record<string, unknown>>): string =>
      Object.entries(values)
        .map(([key, value]) => `${label(key)}: ${valueOf(key, value)}`)
        .join(', ') || '—'
    const detail = (given: Detail): DetailWords =>
      given.kind === 'change'
        ? { label: label(given.key), from: valueOf(given.key, given.from), to: valueOf(given.key, given.to) }
        : { label: label(given.key), from: null, to: valueOf(given.key, given.value) }
    return {
      action: (action) => t(`actions.${action}`),
      entity: (entity) => t(`entities.${entity}`),
      kind: (kind) => t(`kinds.${kind}`),
      who: ({ actor }) =>
        actor.kind === 'anonymous'
          ? t('nobody')
          : actor.kind === 'system'
            ? actor.name === 'sync'
              ? t('system.sync')
              : t('system.other')
            : actor.name,
      owner: ({ owner }) => (owner === null ? '—' : (owner.name ?? t('deleted_user'))),
      what: ({ entityType, entityName }) =>
        entityName === null || entityName === ''
          ? t(`entities.${entityType}`)
          : entityType === 'operation'
            ? operation(entityName)
            : entityType === 'settings'
              ? settingsName(entityName)
              : entityName,
      details: ({ details }) => (details === null ? [] : describeDetails(details).map(detail)),
    }
  }, [t, change])
}
