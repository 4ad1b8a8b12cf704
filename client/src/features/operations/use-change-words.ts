import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useSettingWords } from '#client/features/domains/index.ts'
import { counted, formatDate, formatMoney, formatNumber } from '#client/lib/format.ts'
import { ruleActions } from '#shared/features/domains/rulesets/phases.ts'
import { kindView } from './kinds.ts'
import { useFullPhaseWords } from './use-full-phase-words.ts'
import { useRuleChangeWords } from './use-rule-change-words.ts'
import { contentIn, type ItemChange, type ShownIpRule, type ShownRecord } from './item-changes.ts'

interface Named {
  readonly domain: string
  readonly displayName: string
}

/** A change as text: its label and two sides. */
export interface ChangeWords {
  label: string
  from: string | null
  to: string | null
  mono: boolean
}

/** The relative name; the domain is shown beside it. */
const labelIn = (name: string, domain: string): string =>
  name === domain ? '@' : name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name

type TrackerChange = Extract<ItemChange, { kind: 'tracker' | 'campaign' | 'tracker_group' }>
const isOfTracker = (change: ItemChange): change is TrackerChange =>
  change.kind === 'tracker' || change.kind === 'campaign' || change.kind === 'tracker_group'

/** `kind` determines the text for a change of the whole domain. */
export function useChangeWords(kind: string): (change: ItemChange, item: Named) => ChangeWords {
  const { t } = useTranslation(['operations', 'rule-names'])
  const settings = useSettingWords()
  const ruleWords = useRuleChangeWords()
  const fullPhaseWords = useFullPhaseWords()

  return useCallback(
    (change, item) => {
      if (change.kind === 'setting') {
        return {
          label: settings.name(change.key),
          from: settings.value(change.key, change.from) ?? t('change.unknown'),
          to: settings.value(change.key, change.to) ?? t('change.unknown'),
          mono: false,
        }
      }
      if (change.kind === 'initial') {
        return {
          label: settings.name(change.key),
          from: null,
          to: settings.value(change.key, change.to) ?? t('change.unknown'),
          mono: false,
        }
      }
      if (change.kind === 'purchase') {
        const { price, years } = change
        const to = t('change.purchase', { count: years, formatted: formatNumber(years), price: formatMoney(price) })
        return { label: t('purchase.step.buy'), from: null, to, mono: false }
      }
      if (change.kind === 'rule') return ruleWords(change)
      if (change.kind === 'ip_access') {
        const side = (rule: ShownIpRule | null): string | null => {
          if (rule === null) return null
          const mode = ruleActions.find((action) => action === rule.mode)
          const words =
            mode !== undefined ? t(`rule-names:actions.${mode}`) : rule.mode === 'whitelist' ? t('rule-names:actions.whitelist') : ''
          return [words, rule.note].filter((part) => part !== '').join(' · ') || t('change.unknown')
        }
        const { value = '' } = change.to ?? change.from ?? {}
        return { label: t('change.ip_access', { value }), from: side(change.from), to: side(change.to), mono: false }
      }
      if (change.kind === 'renewal') {
        const { paidUntil, price, years } = change
        const end = new Date(paidUntil)
        end.setUTCFullYear(end.getUTCFullYear() + years)
        const to = t('change.renewal', { date: formatDate(end.toISOString()), price: formatMoney(price) })
        return { label: t('change.paid_until'), from: formatDate(paidUntil), to, mono: false }
      }
      if (change.kind === 'auto_renew') {
        const side = (on: boolean | null): string => (on === null ? t('change.unknown') : t(on ? 'change.on' : 'change.off'))
        return { label: t('change.auto_renew'), from: side(change.from), to: side(change.to), mono: false }
      }
      if (change.kind === 'ds') {
        const label = t(change.published ? 'change.ds_set' : 'change.ds_removed', { registrar: change.registrar })
        return { label, from: null, to: null, mono: false }
      }
      if (change.kind === 'name_servers') {
        const from = change.from === null ? t('change.unknown') : change.from.length === 0 ? t('change.no_servers') : change.from.join(', ')
        return { label: t('change.name_servers'), from, to: change.to?.join(', ') ?? t('change.servers_given'), mono: true }
      }
      if (isOfTracker(change)) {
        return { label: t(`change.${change.kind}`), from: change.from, to: change.to, mono: false }
      }
      if (change.kind === 'ssl_redirect') {
        const side = (on: boolean | null): string | null => (on === null ? null : t(on ? 'change.yes' : 'change.no'))
        return { label: t('change.ssl_redirect'), from: side(change.from), to: side(change.to), mono: false }
      }
      if (change.kind === 'tracker_check') {
        return { label: `${t('change.tracker_check')}: ${change.from ?? t('change.sound')}`, from: null, to: null, mono: false }
      }
      if (change.kind === 'unready') {
        const why = change.problems.map((problem) => t(`unready.${problem}`)).join(', ')
        return { label: change.domain === null ? why : `${change.domain}: ${why}`, from: null, to: null, mono: false }
      }
      if (change.kind === 'full_phase') return { label: fullPhaseWords(change), from: null, to: null, mono: false }
      if (change.kind === 'redirects') {
        const counts = (['added', 'changed', 'removed'] as const).filter((part) => change[part] > 0)
        const label = counts.map((part) => t(`batches.${part}`, { formatted: formatNumber(change[part]) })).join(', ')
        return { label, from: null, to: null, mono: false }
      }
      if (change.kind === 'left') {
        const label = t('change.left', counted(change.records))
        return { label, from: null, to: null, mono: false }
      }
      if (change.kind === 'replaced') return { label: t('change.replaced'), from: change.from, to: change.to, mono: true }
      if (change.kind === 'group' || change.kind === 'profile' || change.kind === 'registrar') {
        const none = t(`change.no_${change.kind}`)
        return { label: t(`${change.kind}.label`), from: change.from ?? none, to: change.to ?? none, mono: false }
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
                contentIn(record.content, item),
                (proxy || to === null || from === null) && record.proxied ? `(${t('change.proxied')})` : null,
              ]
                .filter((part) => part !== null)
                .join(' ')
        return { label: one === null ? '' : `${one.type} ${labelIn(one.name, item.domain)}`, from: side(from), to: side(to), mono: true }
      }
      const { records } = change
      const { change: whole } = kindView(kind)
      const label = records !== null ? t('preview.records', counted(records)) : whole === undefined ? '' : t(whole)
      return { label, from: null, to: null, mono: false }
    },
    [kind, settings, ruleWords, fullPhaseWords, t],
  )
}
