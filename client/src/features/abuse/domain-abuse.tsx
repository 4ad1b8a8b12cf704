import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { formatDateTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { stateTones, useAbuseWords } from './use-abuse-words.ts'

const most = 5

/** The latest abuse reports of a domain; nothing without any. */
export function DomainAbuse({ domainId }: { domainId: string }) {
  const { t } = useTranslation('abuse-reports')
  const words = useAbuseWords()
  const list = trpc.abuseReports.list.useQuery({ domainId, limit: most }, { meta: { failure: false } })
  useLiveQueries('abuseReports')
  const reports = list.data?.abuseReports ?? []
  if (reports.length === 0) return null
  return (
    <section className="card column gap-8 p-12-16 mb-12" aria-label={t('domain.title')}>
      <header className="row wrap between gap-8">
        <h2 className="size-14">{t('domain.title')}</h2>
        <Button
          variant="default"
          size="compact-xs"
          renderRoot={(props) => <Link to="/abuse-reports" search={{ domain: domainId }} {...props} />}
        >
          {t('domain.all')}
        </Button>
      </header>
      <ul className="column gap-6 size-13">
        {reports.map((report) => (
          <li key={report.id} className="row wrap gap-8">
            <StatusDot tone={stateTones[report.state]} label={t(`states.${report.state}`)} />
            <Link to="/abuse-reports" search={{ domain: domainId, report: report.id }} className="hover-accent hover-underline">
              {t(`kinds.${report.kind}`)}
            </Link>
            <span className="secondary">{words.mitigations(report)}</span>
            <span className="size-12 secondary">{formatDateTime(report.reportedAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
