import { Button, Loader, SegmentedControl, TextInput } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangeWarnings } from '#client/features/operations/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { planIpChange } from '#shared/features/domains/records/ip-change.ts'
import { useForm } from '#client/lib/forms.ts'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { renewZone } from './queries.ts'
import classes from './dialogs.module.css'

/** The number of records shown initially. */
const listedAtFirst = 50

interface Fields extends Record<string, unknown> {
  id: string
  ipAddress: string
  mode: 'replace' | 'add'
}

interface Step {
  id: string
  name: string
  from: string | null
  to: string | null
}

/** Whether the text is a complete IP address, so that a preview is possible. */
const looksLikeIp = (text: string): boolean => /^(\d{1,3}\.){3}\d{1,3}$/.test(text) || /^(?=.*:)[\da-f:.]{3,45}$/i.test(text)

/** Changes a domain's A or AAAA records to another IP address, with a preview (R-DET-05, R-DOM-14). */
export function ChangeIpDialog({ zone, onClose }: { zone: DomainDetails; onClose: () => void }) {
  const { t } = useTranslation(['zone', 'common'])
  const records = trpc.records.list.useQuery({ id: zone.id })
  const change = trpc.records.changeIp.useMutation({ meta: { failure: false } })
  const initial: Fields = { id: zone.id, ipAddress: '', mode: 'replace' }
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/domains/records/schema.ts')).changeIpInput,
    onSubmit: async (input) => {
      const answer = await change.mutateAsync(input)
      await renewZone(answer.zone)
      onClose()
      const done = t('ip.done_to', { domain: zone.displayName, addresses: answer.zone.originIPs.join(', ') })
      const offered = import('../history/undo-change.ts').then(({ offerUndo }) =>
        offerUndo(zone.id, { title: done, batchId: answer.batchId }),
      )
      await offered.catch(() => toast.success(done))
    },
    onFailure: (error) => toast.failure(error, t('failed.ip')),
  })
  const { ipAddress, mode } = form.values
  const plan =
    records.data && looksLikeIp(ipAddress) ? planIpChange(records.data.records, { address: ipAddress.toLowerCase(), mode }) : null
  const steps: Step[] | null = plan && [
    ...plan.updates.map(({ id, name, content }) => ({ id, name, from: content, to: ipAddress })),
    ...plan.creates.map(({ id, name }) => ({ id, name, from: null, to: ipAddress })),
    ...plan.deletes.map(({ id, name, content }) => ({ id, name, from: content, to: null })),
  ]
  return (
    <Dialog onClose={form.submitting ? () => undefined : onClose} title={t('ip.title', { domain: zone.displayName })} size={520}>
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        <TextInput
          {...form.text('ipAddress')}
          onChange={(event) => form.set('ipAddress', event.currentTarget.value.trim())}
          label={t('ip.address')}
          description={zone.originIPs.length === 0 ? t('ip.help') : t('ip.current', { addresses: zone.originIPs.join(', ') })}
          placeholder="203.0.113.10"
          classNames={{ input: 'mono' }}
          autoComplete="off"
          spellCheck={false}
          required
          data-autofocus
        />
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={t('ip.mode')}
          value={mode}
          onChange={(next) => form.set('mode', next)}
          data={[
            { value: 'replace', label: t('ip.replace') },
            { value: 'add', label: t('ip.add') },
          ]}
        />
        <div className={`column gap-8 size-13 ${classes['plan']}`} aria-live="polite">
          {records.isPending ? (
            <Loader size="xs" />
          ) : records.isError ? (
            <p className="muted">{t('ip.unread')}</p>
          ) : plan === null || steps === null ? (
            <p className="muted">{t('ip.preview')}</p>
          ) : steps.length === 0 ? (
            <p className="muted">{t(plan.unchanged.length > 0 ? 'ip.same' : 'ip.no_records', { type: plan.type })}</p>
          ) : (
            <Steps steps={steps} type={plan.type} />
          )}
        </div>
        {plan === null || steps?.length === 0 ? null : (
          <Suspense>
            <ChangeWarnings id={zone.id} change={{ kind: 'ip', input: { ipAddress, mode } }} />
          </Suspense>
        )}
        <div className="flex gap-8 end mt-4">
          <Button variant="default" onClick={onClose} disabled={form.submitting}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={form.submitting} disabled={steps?.length === 0}>
            {t(mode === 'replace' ? 'ip.replace_confirm' : 'ip.add_confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Each changed record. */
function Steps({ steps, type }: { steps: readonly Step[]; type: 'A' | 'AAAA' }) {
  const { t } = useTranslation('zone')
  const [whole, setWhole] = useState(false)
  return (
    <>
      <p>{t('ip.changes', { ...counted(steps.length), type })}</p>
      <ul className={`framed scroll ${classes['steps']}`}>
        {(whole ? steps : steps.slice(0, listedAtFirst)).map(({ id, name, from, to }) => (
          <li key={id}>
            <span className="mono">{name}</span>
            <span className="mono">
              {from === null ? null : <del className="muted">{from}</del>} {to === null ? t('ip.removed') : <ins>{to}</ins>}
            </span>
          </li>
        ))}
      </ul>
      {whole || steps.length <= listedAtFirst ? null : (
        <button type="button" className="bare size-13 primary pointer radius-s underlined hover-current" onClick={() => setWhole(true)}>
          {t('ip.more', { count: steps.length - listedAtFirst })}
        </button>
      )}
    </>
  )
}
