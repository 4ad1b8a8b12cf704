import { Button, Select, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { abuseStates, longestAbuseNote } from '#shared/features/abuse-reports/names.ts'
import { formatDate, formatDateTime, formatNumber } from '#client/lib/format.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { DateField } from '#client/ui/form/date-field.tsx'
import { ScrollRegion } from '#client/ui/layout/scroll-region.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { AppealDialog, appealableOf, type WholeReport } from './appeal-dialog.tsx'
import { stateTones, type AbuseWords } from './use-abuse-words.ts'
import classes from './abuse.module.css'

type Mitigation = WholeReport['details']['mitigations'][number]

/** A report with Cloudflare's text and measures, and what people noted about it. */
export function AbuseDialog({ id, words, onClose }: { id: string; words: AbuseWords; onClose: () => void }) {
  const { t } = useTranslation('abuse-reports')
  const found = trpc.abuseReports.get.useQuery({ id })
  const report = found.data?.abuseReport
  return (
    <Dialog
      onClose={onClose}
      size={680}
      title={
        report === undefined ? (
          t('dialog.title')
        ) : (
          <span className="row wrap gap-8 anywhere">
            <StateBadge tone={stateTones[report.state]} label={t(`states.${report.state}`)} />
            <bdi className="mono">{report.domain.displayName}</bdi>
          </span>
        )
      }
    >
      {report === undefined ? (
        found.isError ? (
          <ErrorState title={t('dialog.failed')} error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <div className="column gap-12" role="status" aria-busy>
            <Skeleton width="60%" height={16} />
            <Skeleton width="100%" height={96} />
            <Skeleton width="100%" height={96} />
          </div>
        )
      ) : (
        <div className="column gap-16 size-13">
          <Facts report={report} />
          <Texts report={report} />
          <Mitigations report={report} words={words} />
          {report.details.mayEdit ? <Work key={report.id} report={report} /> : <Noted report={report} />}
        </div>
      )}
    </Dialog>
  )
}

function FactList({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={`grid gap-12 ${classes['facts']}`}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className="size-12 muted">{label}</dt>
          <dd className="shrink anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Facts({ report }: { report: WholeReport }) {
  const { t } = useTranslation('abuse-reports')
  const { details, account, domain } = report
  const { submitter } = details
  const by =
    submitter === null ? [] : [submitter.name, submitter.company, submitter.email, submitter.telephone].filter((each) => each !== null)
  return (
    <>
      <FactList
        facts={[
          [t('column.kind'), t(`kinds.${report.kind}`)],
          [t('dialog.status'), t(`status.${report.status}`)],
          [t('dialog.reported'), formatDateTime(report.reportedAt)],
          [t('dialog.account'), <bdi key="account">{account.name}</bdi>],
          [t('dialog.accepted_urls'), formatNumber(report.acceptedUrls)],
          [t('dialog.host_notified'), t(details.hostNotified ? 'dialog.yes' : 'dialog.no')],
          ...(by.length === 0 ? [] : [[t('dialog.submitter'), <bdi key="by">{by.join(', ')}</bdi>] as const]),
          [
            t('dialog.report_id'),
            <span key="id" className="mono">
              {report.reportId}
            </span>,
          ],
        ]}
      />
      {domain.id === null ? null : (
        <Button
          variant="default"
          size="xs"
          className="self-start"
          renderRoot={(props) => <Link to="/domains/$id" params={{ id: domain.id ?? '' }} {...props} />}
        >
          {t('dialog.domain')}
        </Button>
      )}
    </>
  )
}

function Texts({ report: { details } }: { report: WholeReport }) {
  const { t } = useTranslation('abuse-reports')
  return (
    <>
      <section className="column gap-4">
        <h3 className="size-13">{t('dialog.justification')}</h3>
        <p className={`anywhere ${classes['text']}`}>
          {details.justification === null ? <span className="secondary">{t('dialog.no_text')}</span> : <bdi>{details.justification}</bdi>}
        </p>
      </section>
      {details.originalWork === null ? null : (
        <section className="column gap-4">
          <h3 className="size-13">{t('dialog.original_work')}</h3>
          <p className={`anywhere ${classes['text']}`}>
            <bdi>{details.originalWork}</bdi>
          </p>
        </section>
      )}
      {details.urls.length === 0 ? null : (
        <section className="column gap-4">
          <h3 className="size-13">{t('dialog.urls')}</h3>
          {/* Text, because a reported page may be dangerous. */}
          <ScrollRegion label={t('dialog.urls')} className={classes['urls']}>
            <ul className="column gap-2 mono size-12 anywhere">
              {details.urls.map((url, index) => (
                <li key={index}>{url}</li>
              ))}
            </ul>
          </ScrollRegion>
        </section>
      )}
    </>
  )
}

const mitigationTones = { pending: 'warn', active: 'bad', in_review: 'info', cancelled: 'idle', removed: 'good', unknown: 'idle' } as const

function Mitigations({ report, words }: { report: WholeReport; words: AbuseWords }) {
  const { t } = useTranslation('abuse-reports')
  const { details } = report
  const [appealing, setAppealing] = useState(false)
  const { active, pending, inReview } = report.mitigations
  const isUnread = details.mitigationsReadAt === null && active + pending + inReview > 0
  return (
    <section className="column gap-6">
      <h3 className="size-13">{t('dialog.mitigations')}</h3>
      {appealing ? <AppealDialog report={report} words={words} onClose={() => setAppealing(false)} /> : null}
      {details.mitigations.length === 0 ? (
        <p className="secondary">{t(isUnread ? 'dialog.unread_mitigations' : 'dialog.no_mitigations')}</p>
      ) : (
        <ul className="column gap-6">
          {details.mitigations.map((mitigation) => (
            <MitigationRow key={mitigation.id} mitigation={mitigation} words={words} />
          ))}
        </ul>
      )}
      {details.mayEdit && appealableOf(report).length > 0 ? (
        <Button variant="default" size="xs" className="self-start" onClick={() => setAppealing(true)}>
          {t('dialog.appeal')}
        </Button>
      ) : null}
      {details.appeals.length === 0 ? null : (
        <>
          <h3 className="size-13">{t('appeal.list')}</h3>
          <ul className="column gap-6">
            {details.appeals.map((appeal) => (
              <li key={appeal.id} className="row wrap gap-8">
                <StateBadge quiet tone={appealTones[appeal.state]} label={t(`appeal.states.${appeal.state}`)} />
                <span>{t(`appeal.reasons.${appeal.reason}`)}</span>
                <span className="size-12 secondary">{t('appeal.entry', { who: appeal.sentBy, time: formatDateTime(appeal.sentAt) })}</span>
                {appeal.message === null ? null : <bdi className="anywhere">{appeal.message}</bdi>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const appealTones = { sending: 'info', sent: 'good', refused: 'bad', unknown: 'warn' } as const

function MitigationRow({ mitigation, words }: { mitigation: Mitigation; words: AbuseWords }) {
  const { t } = useTranslation('abuse-reports')
  return (
    <li className="row wrap gap-8">
      <StateBadge quiet tone={mitigationTones[mitigation.status]} label={t(`mitigation_status.${mitigation.status}`)} />
      <span>{words.mitigationType(mitigation.type)}</span>
      <bdi className="mono size-12 anywhere">{mitigation.entity}</bdi>
      {mitigation.effectiveAt === null ? null : (
        <span className="size-12 secondary">{t('dialog.effective', { time: formatDateTime(mitigation.effectiveAt) })}</span>
      )}
    </li>
  )
}

/** What people noted, for those who may not edit it. */
function Noted({ report }: { report: WholeReport }) {
  const { t } = useTranslation('abuse-reports')
  return (
    <section className="column gap-8">
      <h3 className="size-13">{t('dialog.work')}</h3>
      <FactList
        facts={[
          [t('dialog.assignee'), <bdi key="who">{report.assignee?.name ?? t('dialog.nobody')}</bdi>],
          [t('dialog.due'), report.dueOn === null ? t('dialog.no_due') : formatDate(`${report.dueOn}T12:00`)],
          [t('dialog.note'), <bdi key="note">{report.note ?? '—'}</bdi>],
        ]}
      />
    </section>
  )
}

type Edits = Omit<Inputs['abuseReports']['update'], 'id'>

function Work({ report }: { report: WholeReport }) {
  const { t } = useTranslation('abuse-reports')
  // Only what this person changed, so that what others change meanwhile is shown and stays.
  const [edits, setEdits] = useState<Edits>({})
  const edit = (part: Edits) => setEdits((before) => ({ ...before, ...part }))
  const { state = report.state, assigneeId = report.assignee?.id ?? null, dueOn = report.dueOn, note = report.note } = edits
  const utils = trpc.useUtils()
  const save = trpc.abuseReports.update.useMutation({
    meta: { failure: t('dialog.save_failed') },
    onSuccess: async () => {
      toast.success(t('dialog.saved'))
      await utils.abuseReports.invalidate()
    },
  })
  const { assignees } = report.details
  const gone = report.assignee !== null && !assignees.some(({ id }) => id === report.assignee?.id) ? [report.assignee] : []
  return (
    <section className="column gap-8" aria-label={t('dialog.work')}>
      <h3 className="size-13">{t('dialog.work')}</h3>
      <form
        className="column gap-12"
        onSubmit={(event) =>
          handleSubmit(event, () =>
            save.mutate({ id: report.id, ...edits }, { onSuccess: () => setEdits((now) => (now === edits ? {} : now)) }),
          )
        }
      >
        <div className={`grid gap-12 ${classes['facts']}`}>
          <Select
            label={t('dialog.state')}
            data={abuseStates.map((value) => ({ value, label: t(`states.${value}`) }))}
            value={state}
            allowDeselect={false}
            onChange={(next) => edit({ state: abuseStates.find((each) => each === next) ?? state })}
          />
          <Select
            label={t('dialog.assignee')}
            placeholder={t('dialog.nobody')}
            data={[...assignees, ...gone].map(({ id, name }) => ({ value: id, label: name }))}
            value={assigneeId}
            allowDeselect={false}
            clearable
            searchable
            onChange={(next) => edit({ assigneeId: next })}
          />
          <DateField
            label={t('dialog.due')}
            placeholder={t('dialog.no_due')}
            value={dueOn ?? ''}
            clearable
            onChange={(next) => edit({ dueOn: next === '' ? null : next })}
          />
        </div>
        <Textarea
          label={t('dialog.note')}
          value={note ?? ''}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={longestAbuseNote}
          onChange={(event) => edit({ note: event.currentTarget.value })}
        />
        <Button type="submit" className="self-end" loading={save.isPending}>
          {t('dialog.save')}
        </Button>
      </form>
    </section>
  )
}
