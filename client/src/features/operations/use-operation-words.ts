import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { isErrorCode } from '#shared/errors/codes.ts'
import { codeWords, refusalWords, theirWords } from '#client/lib/errors.ts'
import { counted, formatDuration, formatNumber, formatTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { itemTexts } from './item-texts.ts'
import { kindNames, kindView } from './kinds.ts'
import { useSettingWords, type SettingWords } from '#client/features/domains/index.ts'
import { roundMeasured, roundSeconds, shownState } from './operation-progress.ts'
import type { Item } from './queries.ts'
import { warningCodes } from '#shared/features/domains/settings/rules.ts'
import { ownCodes } from './item-codes.ts'
import { ownWarnings } from './warning-codes.ts'

type ItemOutcome = Pick<Item, 'code' | 'providerCode' | 'message' | 'waitUntil'>

export interface OperationWords {
  kind: (operation: Pick<Operation, 'kind' | 'subject'> & Partial<Pick<Operation, 'undoOfKind'>>) => string
  state: (operation: Operation) => string
  domains: (count: number) => string
  /** A number of items of the operation. */
  items: (operation: Pick<Operation, 'kind' | 'undoOfKind'>, count: number) => string
  /** ‘3 min’: an estimate. */
  time: (seconds: number) => string
  /** A measured duration. */
  took: (seconds: number) => string
  code: (code: string) => string
  danger: (code: string) => { title: string; text: string }
  /** The reason of an item's state: our text, the provider's message, and the time of the retry. */
  result: (item: ItemOutcome) => { ours: string | null; theirs: string | null; again: string | null }
  /** Advice; null if the text of the code includes it. */
  advice: (code: string) => string | null
}

const advised = [
  'changed_since',
  'provider_forbidden',
  'provider_rejected',
  'provider_not_found',
  'provider_rate_limited',
  'setting_not_editable',
] as const
const switches: Readonly<Record<string, boolean>> = { true: true, false: false }
/** `key=value, key` of settings, by their labels. */
const settingsSubject = (subject: string, words: SettingWords): string =>
  subject
    .split(', ')
    .map((part) => {
      const [key = '', value] = part.split('=')
      return value === undefined ? words.name(key) : `${words.name(key)} → ${words.value(key, switches[value] ?? value) ?? ''}`
    })
    .join(', ')

/** Texts of operations. */
export function useOperationWords(): OperationWords {
  const settingWords = useSettingWords()
  const { t } = useTranslation(['operations', 'security', 'errors', 'common'])
  const kind = useCallback<OperationWords['kind']>(
    (operation) => {
      const nameOf = (given: string): string => {
        const known = kindNames.find((each) => each === given)
        return known === undefined ? given : t(`kinds.${known}`)
      }
      const withSubject = (given: string, subject: string | null): string => {
        if (subject === null) return nameOf(given)
        const { subject: form } = kindView(given)
        if (form === 'profile' && subject === '') return t('profile.detachment')
        if (form === 'value') return `${nameOf(given)} → ${subject}`
        if (form === 'switch') return `${nameOf(given)}: ${t(subject === 'on' ? 'change.on' : 'change.off')}`
        return `${nameOf(given)}: ${form === 'settings' ? settingsSubject(subject, settingWords) : subject}`
      }
      const { kind: own, subject, undoOfKind = null } = operation
      return undoOfKind === null ? withSubject(own, subject) : `${nameOf(own)}: ${withSubject(undoOfKind, subject)}`
    },
    [t, settingWords],
  )
  const code = useCallback<OperationWords['code']>(
    (given) => {
      const own = ownCodes.find((each) => each === given)
      if (own !== undefined) return t(`codes.${own}`)
      if (isErrorCode(given)) return codeWords(given)
      return given.startsWith('record_') ? t('codes.record_unfit') : given
    },
    [t],
  )
  return {
    kind,
    code,
    state: (operation) => {
      const state = shownState(operation)
      return state === 'skipped' ? t('states.skipped', { formatted: formatNumber(operation.skipped) }) : t(`states.${state}`)
    },
    domains: (count) => t('common:domains', counted(count)),
    items: (operation, count) => t(itemTexts(operation).count, counted(count)),
    time: (seconds) => formatDuration(roundSeconds(seconds)),
    took: (seconds) => formatDuration(roundMeasured(seconds)),
    danger: (given) => {
      const own = ownWarnings.find((each) => each === given)
      if (own !== undefined) return { title: t(`dangers.${own}.title`), text: t(`dangers.${own}.text`) }
      const setting = warningCodes.find((each) => each === given)
      if (setting !== undefined) return { title: t(`security:warnings.${setting}.title`), text: t(`security:warnings.${setting}.text`) }
      return { title: t('dangers.other.title'), text: t('dangers.other.text', { code: given }) }
    },
    advice: (given) => {
      const known = advised.find((each) => each === given)
      return known === undefined ? null : t(`advice.${known}`)
    },
    result: (item) => ({
      ours: item.code === null ? null : (refusalWords(item.code, item.providerCode) ?? code(item.code)),
      theirs:
        item.message === null || item.message === ''
          ? null
          : item.providerCode === null
            ? t('page.provider', { message: item.message })
            : theirWords(item.code, item.providerCode, item.message),
      again: item.waitUntil === null ? null : t('page.again_at', { time: formatTime(item.waitUntil) }),
    }),
  }
}

/** The texts for features that load them when they are needed. */
export const WithOperationWords = ({ children }: { children: (words: OperationWords) => ReactNode }) => children(useOperationWords())

/** Why an operation waits and until when; null if it does not. */
export function useWaiting(operation: Operation | undefined): string | null {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const waits = operation !== undefined && operation.waiting > 0 && (operation.state === 'running' || operation.state === 'waiting')
  const first = trpc.operations.items.useQuery({ id: operation?.id ?? '', state: 'waiting', limit: 1 }, { enabled: waits, staleTime: 0 })
    .data?.items[0]
  if (!waits) return null
  if (first?.waitUntil === undefined || first.waitUntil === null) return t('page.waits_turn')
  return t('page.waits', { time: formatTime(first.waitUntil), why: first.code === null ? t('states.waiting') : words.code(first.code) })
}
