import { Button, Checkbox, Radio } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { appealReasons } from '#shared/features/abuse-reports/names.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import type { AbuseWords } from './use-abuse-words.ts'

export type WholeReport = Outputs['abuseReports']['get']['abuseReport']

/** Mitigations in force or about to be, without an appeal that was sent. */
export const appealableOf = ({ details }: WholeReport) =>
  details.mitigations.filter(
    ({ id, status }) =>
      (status === 'active' || status === 'pending') &&
      !details.appeals.some(({ state, mitigationIds }) => (state === 'sent' || state === 'sending') && mitigationIds.includes(id)),
  )

/** Composes an appeal, and shows exactly what is sent before a person confirms it. */
export function AppealDialog({ report, words, onClose }: { report: WholeReport; words: AbuseWords; onClose: () => void }) {
  const { t } = useTranslation('abuse-reports')
  const choices = appealableOf(report)
  const [selected, setSelected] = useState<readonly string[]>(() => choices.map(({ id }) => id))
  const [reason, setReason] = useState<(typeof appealReasons)[number] | null>(null)
  const utils = trpc.useUtils()
  const appeal = trpc.abuseReports.appeal.useMutation({
    meta: { failure: t('appeal.failed') },
    onSuccess: () => toast.success(t('appeal.sent')),
    onSettled: async () => {
      await utils.abuseReports.invalidate()
      onClose()
    },
  })
  const mitigationIds = choices.flatMap(({ id }) => (selected.includes(id) ? [id] : []))
  const isUnknown = report.details.appeals.some(
    ({ state, mitigationIds: sent }) => state === 'unknown' && sent.some((id) => mitigationIds.includes(id)),
  )
  const isReady = mitigationIds.length > 0 && reason !== null
  return (
    <Dialog onClose={appeal.isPending ? () => undefined : onClose} title={t('appeal.title')} size={520}>
      <form
        className="column gap-16 size-13"
        onSubmit={(event) => handleSubmit(event, () => isReady && appeal.mutate({ id: report.id, mitigationIds, reason }))}
      >
        <p className="secondary">{t('appeal.text', { account: report.account.name })}</p>
        {isUnknown ? <WarningBox tone="warn" title={t('appeal.states.unknown')}>{` ${t('appeal.again')}`}</WarningBox> : null}
        <Checkbox.Group label={t('appeal.mitigations')} value={[...selected]} onChange={setSelected}>
          <div className="column gap-8">
            {choices.map(({ id, type, entity }) => (
              <Checkbox key={id} value={id} label={`${words.mitigationType(type)} · ${entity}`} />
            ))}
          </div>
        </Checkbox.Group>
        <Radio.Group
          label={t('appeal.reason')}
          value={reason}
          onChange={(next) => setReason(appealReasons.find((each) => each === next) ?? reason)}
        >
          <div className="column gap-8">
            {appealReasons.map((value) => (
              <Radio key={value} value={value} label={t(`appeal.reasons.${value}`)} />
            ))}
          </div>
        </Radio.Group>
        <section className="column gap-4" aria-label={t('appeal.preview')}>
          <h3 className="size-13">{t('appeal.preview')}</h3>
          <p className="anywhere">{t('appeal.report', { id: report.reportId, domain: report.domain.displayName })}</p>
          <ul className="column gap-2 mono size-12 anywhere">
            {mitigationIds.map((id) => (
              <li key={id}>{reason === null ? id : `${id}: ${reason}`}</li>
            ))}
          </ul>
        </section>
        <div className="flex gap-8 end">
          <Button variant="default" onClick={onClose} disabled={appeal.isPending}>
            {t('appeal.cancel')}
          </Button>
          <Button type="submit" disabled={!isReady} loading={appeal.isPending}>
            {t('appeal.send')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
