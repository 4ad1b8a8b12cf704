import { useTranslation } from 'react-i18next'
import type { Certificate } from '#shared/features/domains/settings/schema.ts'
import { formatDate, formatMonth } from '#client/lib/format.ts'
import { ChartTable } from '#client/ui/chart/chart.tsx'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { placeOf, timelineOf, timesOf, type CertificateTimes, type Timeline } from './certificate-state.ts'
import { useCertificateWords } from './use-certificate-words.ts'
import classes from './certificate-timeline.module.css'

/** The validity periods of the certificates, with today marked. */
export function CertificateTimeline({ certificates, nowMs }: { certificates: readonly Certificate[]; nowMs: number }) {
  const { t } = useTranslation('security')
  const words = useCertificateWords()
  const rows = certificates.map((certificate) => ({ certificate, times: timesOf(certificate, nowMs) }))
  const line = timelineOf(
    rows.map(({ times }) => times),
    nowMs,
  )
  const today = `${placeOf(line, nowMs)}%`
  return (
    <figure className={classes['figure']}>
      <div className={`column gap-12 relative ${classes['chart']}`} aria-hidden>
        <svg className={classes['grid']} width="100%" height="100%">
          {line.months.map((ms) => (
            <line key={ms} x1={`${placeOf(line, ms)}%`} x2={`${placeOf(line, ms)}%`} y1="0" y2="100%" />
          ))}
          <line x1={today} x2={today} y1="0" y2="100%" className={classes['today']} />
        </svg>
        <strong className={`size-11 medium secondary ${classes['now']}`} style={{ left: today }}>
          {t('certificates.today')}
        </strong>
        {rows.map(({ certificate, times }) => (
          <div key={certificate.id} className={`grid middle relative size-12 ${classes['row']}`} data-tone={times.tone}>
            <span className={`cut within code on-surface ${classes['host']}`}>{certificate.hosts[0] ?? certificate.id}</span>
            <span className={`inline gap-6 secondary nowrap on-surface ${classes['left']}`}>
              <StatusDot tone={times.tone} />
              {words.left(certificate, times.daysLeft)}
            </span>
            <Bar line={line} times={times} nowMs={nowMs} />
          </div>
        ))}
        <div className={`size-11 line-16 muted nowrap ${classes['axis']}`}>
          {line.months
            .filter((ms) => placeOf(line, ms) > 6 && placeOf(line, ms) < 94)
            .map((ms) => (
              <span key={ms} style={{ left: `${placeOf(line, ms)}%` }}>
                {formatMonth(ms)}
              </span>
            ))}
        </div>
      </div>
      <ChartTable
        caption={t('certificates.timeline')}
        head={[t('certificates.hosts'), t('certificates.state'), t('certificates.from'), t('certificates.expires')]}
        rows={rows.map(({ certificate, times }) => ({
          key: certificate.id,
          cells: [
            certificate.hosts.join(', '),
            words.state(certificate),
            times.fromMs === null ? '—' : formatDate(times.fromMs),
            times.toMs === null ? '—' : `${formatDate(times.toMs)}, ${words.left(certificate, times.daysLeft)}`,
          ],
        }))}
      />
    </figure>
  )
}

/** The past part is pale, the remaining part is solid. */
function Bar({ line, times: { fromMs, toMs }, nowMs }: { line: Timeline; times: CertificateTimes; nowMs: number }) {
  const from = placeOf(line, fromMs ?? line.fromMs)
  const to = toMs === null ? from : placeOf(line, toMs)
  const now = Math.min(Math.max(placeOf(line, nowMs), from), to)
  return (
    <svg className="across" width="100%" height="8">
      <rect x="0" width="100%" height="8" rx="4" className={classes['track']} />
      {toMs === null ? null : (
        <>
          <rect x={`${from}%`} width={`${to - from}%`} height="8" rx="4" className={classes['whole']} />
          <rect x={`${now}%`} width={`${to - now}%`} height="8" rx="4" className={classes['rest']} />
        </>
      )}
    </svg>
  )
}
