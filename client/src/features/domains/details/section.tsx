import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { codeWords } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge, StatusDot } from '#client/ui/display/state-badge.tsx'
import { CopyText } from '#client/ui/display/copy-button.tsx'
import { Unread } from '../list/domain-cells.tsx'
import { useZoneRefresh, type RefreshProblem } from './mutations.ts'
import classes from './section.module.css'

/** A section of the overview; shows an error if its `part` could not be read from the provider. */
export function Section({
  title,
  note,
  part,
  children,
}: {
  title: string
  note?: ReactNode
  part?: RefreshProblem['part']
  children: ReactNode
}) {
  const id = useId()
  const { problems } = useZoneRefresh()
  const problem = problems.find((each) => each.part === part)
  return (
    <section className="column card shrink p-14-16" aria-labelledby={id}>
      <header className={`row wrap between ${classes['head']}`}>
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <span className="size-12 muted">{note}</span>}
      </header>
      {problem === undefined ? null : <Problem code={problem.code} message={problem.message} />}
      <div className="column gap-10 size-13 line-18">{children}</div>
    </section>
  )
}

/** Why a part is missing or outdated: our text, then the provider's message. */
export function Problem({ code, message, hint }: { code: string; message: string | null; hint?: string }) {
  return (
    <p className={`flex gap-8 size-12 warn radius on-warn ${classes['problem']}`} role="status">
      <StatusDot tone="warn" />
      <span>
        {codeWords(code)}
        {message === null || message === '' ? null : <span className="block secondary anywhere">{message}</span>}
        {hint === undefined ? null : <span className="block secondary anywhere">{hint}</span>}
      </span>
    </p>
  )
}

/** A labeled value; `pending`: the list row does not have it, and the response that does is loading. */
export function Fact({ label, pending = false, children }: { label: string; pending?: boolean; children: ReactNode }) {
  return (
    <div className={`grid gap-12 baseline ${classes['fact']}`}>
      <span className="muted">{label}</span>
      <span className="shrink anywhere">{pending ? <Skeleton width={96} /> : (children ?? <None />)}</span>
    </div>
  )
}

export function None() {
  return <span className="muted">—</span>
}

/** The age of a part. */
export function Age({ at }: { at: string | null }) {
  const { t } = useTranslation('domains')
  if (at === null) return t('details.reading')
  return (
    <>
      {t('details.listed')} <RelativeTime at={at} />
    </>
  )
}

export function Switched({ on }: { on: boolean | null }) {
  const { t } = useTranslation('domains')
  if (on === null) return <Unread />
  return <StateBadge quiet tone={on ? 'good' : 'idle'} label={t(on ? 'details.on' : 'details.off')} />
}

const listedAtFirst = 6

/** Texts that are copied by a click; of many, the first few are shown and the rest on request. */
export function CopyList({ texts }: { texts: readonly string[] }) {
  const { t } = useTranslation('zone')
  const [whole, setWhole] = useState(false)
  if (texts.length === 0) return <None />
  const shown = whole || texts.length <= listedAtFirst + 1 ? texts : texts.slice(0, listedAtFirst)
  return (
    <>
      <ul className="column gap-6">
        {shown.map((text) => (
          <li key={text}>
            <CopyText text={text} />
          </li>
        ))}
      </ul>
      {shown.length === texts.length ? null : (
        <button
          type="button"
          className="bare self-start size-12 secondary pointer radius-s underlined hover-primary"
          onClick={() => setWhole(true)}
        >
          {t('show_all', { total: formatNumber(texts.length) })}
        </button>
      )}
    </>
  )
}

/** A link to the page with the full part. */
export function MoreLink({
  to,
  id,
  children,
}: {
  to: '/domains/$id/security' | '/domains/$id/records' | '/domains/$id/history'
  id: string
  children: ReactNode
}) {
  return (
    <Link to={to} params={{ id }} className={`underlined secondary ${classes['link']}`}>
      {children}
    </Link>
  )
}
