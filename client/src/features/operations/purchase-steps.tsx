import { IconAlertTriangle, IconCheck, IconClock, IconX, IconPoint } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { PurchaseStep } from '#shared/features/operations/schema.ts'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

const purchaseSteps = ['buy', 'zone', 'setup', 'name_servers', 'tracker', 'first_check'] as const satisfies readonly PurchaseStep['step'][]

const symbols = { done: IconCheck, attention: IconAlertTriangle, failed: IconX, waiting: IconClock, open: IconPoint } as const

/** The progress of a domain from a name to a working site. `full`: one line per step, with the reason. */
export function PurchaseSteps({
  steps = [],
  full = false,
  replaces = false,
}: {
  steps?: readonly PurchaseStep[] | undefined
  full?: boolean
  /** For a domain that replaces another: the steps tried so far. */
  replaces?: boolean
}) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const reported = new Set(steps.map(({ step }) => step))
  // The tracker step is shown only if a binding was requested.
  const shown = replaces ? [...reported] : purchaseSteps.filter((step) => step !== 'tracker' || reported.has(step))
  return (
    <ol className={`flex shrink clip size-12 gap-4-12 ${classes['steps']}`} data-full={full || undefined} aria-label={t('purchase.steps')}>
      {shown.map((step) => {
        const reported = steps.find((each) => each.step === step)
        // After a replacement, what the panel could not do is left to a person.
        const needsPerson = replaces && reported?.state === 'done' && reported.code !== null
        const state = needsPerson ? 'attention' : (reported?.state ?? 'open')
        const Symbol = symbols[state]
        const why = reported?.code == null ? null : words.code(reported.code)
        const name = t(`purchase.step.${step}`)
        const label = [name, t(`purchase.state.${state}`), why].filter((part) => part !== null).join(' · ')
        return (
          <li className="row gap-4 fixed secondary" key={step} data-state={state} title={label}>
            <Symbol size={14} stroke={2} aria-hidden />
            <span aria-hidden={!full}>{full ? label : name}</span>
            {full ? null : <span className="sr-only">{label}</span>}
          </li>
        )
      })}
    </ol>
  )
}
