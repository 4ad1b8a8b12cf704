import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operationPriority, type Operation } from '#shared/features/operations/schema.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import classes from './operations.module.css'

const DateTimeField = lazyPart(async () => (await import('#client/ui/form/date-time-field.tsx')).DateTimeField)

/** The start options of an operation. */
export interface StartChoice {
  /** The local start time as the field has it; null: immediately. */
  at: string | null
  priority: Operation['priority']
  /** The size of the canary; null: without one. */
  trial: number | null
}

/** Enough domains to judge the result. */
const fewFirst = 5
export const suggestedTrial = (domains: number): number => Math.min(fewFirst, Math.max(1, domains - 1))

/** Why a start time is invalid: it is past, or beyond the server's limit. */
export type UnfitTime = 'past' | 'far'
const aheadMs = 366 * 24 * 3_600_000
export function unfitTime(moment: Date, nowMs = Date.now()): UnfitTime | null {
  const aheadOfNowMs = moment.getTime() - nowMs
  return aheadOfNowMs < 0 ? 'past' : aheadOfNowMs > aheadMs ? 'far' : null
}

/** A local time in the format of the field. */
export function localMoment(ms: number): string {
  const date = new Date(ms)
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** When it starts, the canary, and its priority. */
export function StartOptions({
  choice,
  domains,
  unfit,
  onChange,
}: {
  choice: StartChoice
  domains: number
  unfit: UnfitTime | null
  onChange: (part: Partial<StartChoice>) => void
}) {
  const { t } = useTranslation('operations')
  return (
    <fieldset className={`flex wrap ${classes['options']}`}>
      <legend className="sr-only">{t('start.legend')}</legend>
      {domains < 2 ? null : (
        <div className={`row wrap size-13 h-36 gap-4-10 ${classes['option']}`}>
          <Checkbox
            size="sm"
            label={t('start.trial')}
            checked={choice.trial !== null}
            onChange={(event) => onChange({ trial: event.currentTarget.checked ? suggestedTrial(domains) : null })}
          />
          {choice.trial === null ? null : (
            <>
              <Few most={domains - 1} value={choice.trial} onChange={(trial) => onChange({ trial })} />
              <span className={`size-12 muted ${classes['quiet']}`}>{t('start.trial_help')}</span>
            </>
          )}
        </div>
      )}
      <div className={`row wrap size-13 h-36 gap-4-10 ${classes['option']}`}>
        <Checkbox
          size="sm"
          label={t('preview.later')}
          checked={choice.at !== null}
          onChange={(event) => onChange({ at: event.currentTarget.checked ? localMoment(Date.now() + 3_600_000) : null })}
        />
        {choice.at === null ? null : <StartTime value={choice.at} unfit={unfit} onChange={(at) => onChange({ at })} />}
      </div>
      <label className={`row wrap size-13 h-36 gap-4-10 ${classes['option']}`}>
        <span>{t('start.priority')}</span>
        <NativeSelect
          value={choice.priority}
          title={t('start.priority_help')}
          data={operationPriority.options.map((value) => ({ value, label: t(`start.priorities.${value}`) }))}
          onChange={(event) => onChange({ priority: operationPriority.catch('normal').parse(event.currentTarget.value) })}
        />
      </label>
    </fieldset>
  )
}

/** The local start time. */
export function StartTime({
  value,
  unfit,
  labeled = false,
  onChange,
}: {
  value: string
  unfit: UnfitTime | null
  labeled?: boolean
  onChange: (value: string) => void
}) {
  const { t } = useTranslation('operations')
  return (
    <Suspense fallback={<Skeleton width={190} height={36} />}>
      <DateTimeField
        label={t('preview.when')}
        labeled={labeled}
        value={value}
        error={unfit === null ? undefined : t(`preview.${unfit}`)}
        onChange={onChange}
      />
    </Suspense>
  )
}

/** A number that may be empty while typing. */
function Few({ most, value, onChange }: { most: number; value: number; onChange: (value: number) => void }) {
  const { t } = useTranslation('operations')
  const [text, setText] = useState(String(value))
  return (
    <TextInput
      w={72}
      aria-label={t('start.trial_count')}
      inputMode="numeric"
      value={text}
      onChange={(event) => {
        const digits = event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 5)
        setText(digits)
        onChange(trialOf(digits, most))
      }}
      onBlur={() => setText(String(trialOf(text, most)))}
    />
  )
}

/** A canary of all domains is no canary; the server limits its size. */
const mostFirst = 10_000
const trialOf = (text: string, most: number): number => Math.min(Math.max(1, Number(text)), Math.max(1, most), mostFirst)
