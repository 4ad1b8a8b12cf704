import { useTranslation } from 'react-i18next'
import { unicodeHost } from '#shared/punycode.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import type { Outputs } from '#client/lib/trpc.ts'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

/** The preview lists a hundred of them. */
const mostHosts = 10

type Preview = Outputs['operations']['previewDomainRedirects']

/** What redirects of whole domains do in each account, and the hostnames that somebody has to care about. */
export function RedirectAccounts({ accounts, dnsOnly }: { accounts: Preview['accounts']; dnsOnly: Preview['dnsOnly'] | undefined }) {
  const { t } = useTranslation(['operations', 'common'])
  const words = useOperationWords()
  return (
    <>
      <ul className={`column scroll-y size-13 ${classes['shares']}`} aria-label={t('redirect.accounts')}>
        {accounts.map((each) => (
          <li className="grid baseline" key={each.accountId}>
            <bdi>{each.account}</bdi>
            <strong className="medium numeric">{words.domains(each.domains)}</strong>
            <AccountChange of={each} />
          </li>
        ))}
      </ul>
      {dnsOnly === undefined || dnsOnly.count === 0 ? null : (
        <WarningBox title={t('redirect.dns_only', { formatted: formatNumber(dnsOnly.count) })}>
          {` ${t('redirect.dns_only_text')} `}
          <bdi className="mono anywhere">{dnsOnly.first.slice(0, mostHosts).map(unicodeHost).join(', ')}</bdi>
          {dnsOnly.count > mostHosts ? ` ${t('common:and_more', counted(dnsOnly.count - mostHosts))}` : null}
        </WarningBox>
      )}
    </>
  )
}

/** What happens in the list of the account, and what single redirects of the domains do instead. */
function AccountChange({ of }: { of: NonNullable<Preview['accounts']>[number] }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const { added, changed, unchanged, rules, ruleUpdates, used, limit, refused, message } = of
  const counts = [
    ...(added > 0 ? [t('batches.added', { formatted: formatNumber(added) })] : []),
    ...(changed > 0 ? [t('batches.changed', { formatted: formatNumber(changed) })] : []),
    ...(ruleUpdates > 0 ? [t('redirect.rule_updates', { formatted: formatNumber(ruleUpdates) })] : []),
    ...(unchanged > 0 ? [t('redirect.unchanged', { formatted: formatNumber(unchanged) })] : []),
    ...(used === null || limit === null ? [] : [t('redirect.used', { used: formatNumber(used), limit: formatNumber(limit) })]),
  ]
  return (
    <span className={`column size-12 ${classes['quiet']}`}>
      {counts.length === 0 ? null : <span className="muted">{counts.join(' · ')}</span>}
      {refused === null ? null : (
        <span className="warn anywhere">
          {[
            `${rules > 0 ? t('redirect.rules_instead', { formatted: formatNumber(rules) }) : t('items.skipped')}. ${words.code(refused)}`,
            ...(message === null ? [] : [message]),
          ].join(' ')}
        </span>
      )}
    </span>
  )
}
