import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TrackerTest } from '#shared/features/trackers/schema.ts'
import { codeWords } from '#client/lib/errors.ts'
import { counted } from '#client/lib/format.ts'
import classes from '../trackers.module.css'

/** The result of a connection test, and the tracker's own message. */
export function TestResult({ test }: { test: TrackerTest }) {
  const { t } = useTranslation(['trackers', 'common'])
  const { ok, code, message, domains, campaigns, addresses } = test
  const Symbol = ok ? IconCircleCheck : IconCircleX
  return (
    <div className={`framed flex gap-10 size-13 on-sunken p-10-12 ${classes['result']}`} data-ok={ok} role="status">
      <Symbol size={18} stroke={1.7} aria-hidden />
      <div>
        <strong>{ok ? t('test.works') : codeWords(code ?? '')}</strong>
        {ok ? (
          <p className="secondary">
            {[
              domains === null ? null : t('common:domains', counted(domains)),
              campaigns === null ? null : t('test.campaigns', counted(campaigns)),
              addresses.length === 0 ? null : t('test.leads_to', { addresses: addresses.join(', ') }),
            ]
              .filter((part) => part !== null)
              .join(' · ')}
          </p>
        ) : message === null || message === '' ? null : (
          <p className="secondary">
            {t('test.response')} <bdi>{message}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}
