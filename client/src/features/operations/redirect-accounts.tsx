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
        {accounts.map(({ accountId, account, domains, added, changed, unchanged, used, limit, refused, message }) => (
          <li className="grid baseline" key={accountId}>
            <bdi>{account}</bdi>
            <strong className="medium numeric">{words.domains(domains)}</strong>
            <span className={refused === null ? `size-12 muted ${classes['quiet']}` : 'size-12 warn anywhere'}>
              {refused === null
                ? [
                    ...(added > 0 ? [t('batches.added', { formatted: formatNumber(added) })] : []),
                    ...(changed > 0 ? [t('batches.changed', { formatted: formatNumber(changed) })] : []),
                    ...(unchanged > 0 ? [t('redirect.unchanged', { formatted: formatNumber(unchanged) })] : []),
                    t('redirect.used', { used: formatNumber(used ?? 0), limit: formatNumber(limit ?? 0) }),
                  ].join(' · ')
                : [`${t('items.skipped')}. ${words.code(refused)}`, message].filter((part) => part !== null).join(' ')}
            </span>
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
