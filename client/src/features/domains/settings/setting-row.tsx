import { Button } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import type { Question } from './use-question.ts'
import classes from './setting-row.module.css'

/** A setting: label, control, why it is disabled, and the confirmation of a dangerous change. */
export function SettingRow({
  name,
  help,
  changedAt = null,
  unread = false,
  locked,
  question,
  place = 'beside',
  children,
}: {
  name: string
  help: ReactNode
  /** When it was last changed, according to the provider. */
  changedAt?: string | null
  /** The provider did not report its value. */
  unread?: boolean
  locked: string | null
  question: Question | null
  /** The position of the control; a switch stays beside its label on a phone too. */
  place?: 'switch' | 'beside' | 'below'
  children: (ids: { labelledBy: string; describedBy: string }) => ReactNode
}) {
  const { t } = useTranslation('security')
  const labelledBy = useId()
  const describedBy = useId()
  return (
    <div className="divided p-14-16">
      <div className={`grid middle ${classes['line']}`} data-place={place}>
        <div>
          <h3 id={labelledBy} className="size-13 line-20 medium">
            {name}
          </h3>
          <div id={describedBy} className={`size-12 secondary ${classes['help']}`}>
            {help}
            {unread ? <span className={`row muted gap-5 ${classes['note']}`}>{t('unread')}</span> : null}
            {locked === null ? null : (
              <span className={`row muted gap-5 ${classes['note']}`}>
                <IconLock size={13} stroke={1.8} aria-hidden />
                {locked}
              </span>
            )}
            {changedAt === null || locked !== null ? null : (
              <span className={`row muted gap-5 ${classes['note']}`}>
                <span>
                  {t('changed_at')} <RelativeTime at={changedAt} />
                </span>
              </span>
            )}
          </div>
        </div>
        <div className={`column gap-10 shrink ${classes['control']}`}>{children({ labelledBy, describedBy })}</div>
      </div>
      {question === null ? null : <Confirmation question={question} />}
    </div>
  )
}

function Confirmation({ question: { warnings, accept, refuse } }: { question: Question }) {
  const { t } = useTranslation('security')
  const label = useId()
  const way = useRef<HTMLButtonElement>(null)
  const before = useRef<Element | null>(null)
  const severity = warnings[0]?.severity ?? 'caution'
  useEffect(() => {
    before.current = document.activeElement
    way.current?.focus()
    way.current?.scrollIntoView({ block: 'nearest' })
    return () => {
      if (before.current instanceof HTMLElement) before.current.focus()
    }
  }, [])
  return (
    <div
      className={`grid start radius-8 on-warn mt-12 p-10-12 ${classes['question']}`}
      data-severity={severity}
      role="alertdialog"
      aria-labelledby={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        refuse()
      }}
    >
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
      <div className={`column gap-8 size-13 secondary ${classes['warnings']}`} id={label}>
        {warnings.map(({ code }) => (
          <p key={code}>
            <strong className="block semibold primary">{t(`warnings.${code}.title`)}</strong>
            {t(`warnings.${code}.text`)}
          </p>
        ))}
      </div>
      <div className={`flex wrap gap-8 end ${classes['answers']}`}>
        <Button ref={way} variant="default" size="xs" onClick={refuse}>
          {t('leave')}
        </Button>
        <Button size="xs" color={severity === 'danger' ? 'red' : 'iris'} onClick={accept}>
          {t('change_anyway')}
        </Button>
      </div>
    </div>
  )
}
