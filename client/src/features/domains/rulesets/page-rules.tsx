import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { codeWords } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { joinFacts } from '#client/lib/text.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Rulesets } from './queries.ts'
import classes from './rules-tab.module.css'

/** The page rules of a domain, which are shown only: Cloudflare replaces them with the rules above. */
export function PageRules({ rules, limit, problem }: Rulesets['pageRules']) {
  const { t } = useTranslation('rulesets')
  const id = useId()
  if (rules.length === 0 && problem === null) return null
  return (
    <section className="card" aria-labelledby={id}>
      <header className={`row ${classes['head']}`}>
        <div className={`shrink ${classes['names']}`}>
          <h2 id={id}>{t('page_rules.name')}</h2>
          <p className="size-12 muted pretty">{t('page_rules.text')}</p>
        </div>
        {limit === null || rules.length === 0 ? null : (
          <span className="size-12 muted nowrap numeric push">
            {t('used', { used: formatNumber(rules.length), limit: formatNumber(limit) })}
          </span>
        )}
      </header>
      {problem === null ? null : (
        <p className={`size-12 warn radius on-warn p-8-10 ${classes['problem']}`} role="status">
          {codeWords(problem.code)}
          {problem.code === 'provider_forbidden' ? (
            <span className="block secondary">{t('permission', { permission: 'Page Rules Read' })}</span>
          ) : problem.message === null ? null : (
            <span className="block secondary anywhere">{problem.message}</span>
          )}
        </p>
      )}
      {rules.length === 0 ? null : (
        <ol className="line-top" aria-labelledby={id}>
          {rules.map(({ id: ruleId, targets, actions, isActive }) => (
            <li key={ruleId} className={`flex wrap gap-4-16 size-13 divided ${classes['pageRule']}`}>
              <span className="mono size-12 anywhere shrink">{targets.join(', ')}</span>
              <span className="size-12 secondary anywhere shrink">
                {joinFacts(...actions.map(({ id: action, value }) => (typeof value === 'string' ? `${action}: ${value}` : action)))}
              </span>
              <span className="push">
                <StateBadge quiet tone={isActive ? 'good' : 'idle'} label={t(isActive ? 'on' : 'off')} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
