import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { failureWords } from '#client/lib/errors.ts'
import { sentences } from '#client/lib/text.ts'
import { trpc } from '#client/lib/trpc.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import classes from './expression-editor.module.css'

const tones = { accepted: 'good', refused: 'bad', unverified: 'warn' } as const

/** Asks Cloudflare whether it would accept the rule, without saving it. */
export function CheckRule({
  domainId,
  phase,
  rule,
  shown,
}: {
  domainId: string
  phase: RulePhase
  rule: RuleDefinition
  /** The errors that the form shows; a refusal is not repeated. */
  shown: readonly (string | null | undefined)[]
}) {
  const { t } = useTranslation('rulesets')
  const check = trpc.rulesets.checkRule.useMutation({ meta: { failure: false } })
  // A result belongs to the rule that was checked.
  const isCurrent = JSON.stringify(check.variables?.rule) === JSON.stringify(rule)
  const answer = isCurrent && !check.isPending ? check.data : undefined
  const message = answer?.message ?? null
  const isShown = message !== null && shown.some((text) => text?.includes(message) === true)
  const failure = isCurrent && check.error !== null ? failureWords(t('failed.check'), check.error) : null
  const status = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    // Below the button there may be only the end of the form, which stays in view.
    if (answer !== undefined || failure !== null) status.current?.scrollIntoView({ block: 'nearest' })
  }, [answer, failure])
  return (
    <div className="flex wrap gap-8 middle size-13">
      <Button
        variant="default"
        size="xs"
        loading={check.isPending}
        disabled={rule.expression.trim() === ''}
        onClick={() => check.mutate({ id: domainId, phase, rule })}
      >
        {t('check.action')}
      </Button>
      <span ref={status} role="status" className="shrink anywhere">
        {answer === undefined ? null : (
          <>
            <StateBadge quiet tone={tones[answer.result]} label={t(`check.${answer.result}`)} />
            {isShown || (message === null && answer.reason === null) ? null : (
              <span className={message === null ? 'block secondary' : `block secondary mono size-12 ${classes['theirs']}`}>
                {sentences(message, answer.reason === null ? null : t(`check.reasons.${answer.reason}`))}
              </span>
            )}
          </>
        )}
        {failure}
      </span>
    </div>
  )
}
