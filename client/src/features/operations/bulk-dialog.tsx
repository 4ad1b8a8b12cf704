import { Button, Loader } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PurchaseTotal } from '#shared/features/buying/schema.ts'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { failureOf, fieldErrors, messageOf, providerWords } from '#client/lib/errors.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { AutoRenewForm } from './auto-renew-form.tsx'
import type { BulkAbout, BulkFormProps, BulkKind, BulkTarget, BulkRequest, NamesTarget } from './bulk-form.ts'
import { DnsAddForm } from './dns-add-form.tsx'
import { DnsDeleteForm } from './dns-delete-form.tsx'
import { DnsEditForm } from './dns-edit-form.tsx'
import { DnsReplaceForm } from './dns-replace-form.tsx'
import { GroupForm } from './group-form.tsx'
import { IpForm } from './ip-form.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { ProfileForm } from './profile-form.tsx'
import { RegistrarForm } from './registrar-form.tsx'
import { RenewForm } from './renew-form.tsx'
import { ReplaceForm } from './replace-form.tsx'
import { SettingsForm } from './settings-form.tsx'
import { TrackerBindForm } from './tracker-bind-form.tsx'
import { TrackerUnbindForm } from './tracker-unbind-form.tsx'
import { useFailureTitle } from './use-failure-title.ts'
import { useOperationWords } from './use-operation-words.ts'
import forms from '#client/ui/form.module.css'
import { FormEnd } from '#client/ui/form-end.tsx'
import classes from './operations.module.css'

/** One thing done to many domains: what exactly, then what it would change, then it runs (R-DOM-08). */
export function BulkDialog({
  kind,
  count,
  given,
  about,
  targetOf,
  onStarted,
  onClose,
}: {
  kind: BulkKind
  count: number
  /** What exactly, where that is known already. */
  given?: BulkRequest
  about?: BulkAbout
  /** The chosen domains; may have to be read first. */
  targetOf: () => Promise<BulkTarget | NamesTarget>
  onStarted: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['operations', 'common'])
  const words = useOperationWords()
  const [preview, setPreview] = useState<(OperationPreview & { totals?: readonly PurchaseTotal[] }) | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const plan = usePlanning()
  const title = t(`bulk.${kind}_title`, { domains: words.domains(count) })
  const failed = useFailureTitle(kind, 'bulk.failed', count)

  const submit = async (request: BulkRequest): Promise<void> => {
    if (busy) return
    setBusy(true)
    setRefusal(null)
    setNote(null)
    try {
      setPreview(await plan(request, await targetOf()))
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'answered' && failure.data.code === 'nothing_to_do') {
        const domains = words.domains(Number(failure.data.params?.['unchanged'] ?? count))
        setNote(t(kind === 'name_servers' ? 'bulk.servers_unchanged' : 'bulk.unchanged', { domains }))
      } else if (failure.kind !== 'cancelled') {
        setRefusal(
          [`${failed}.`, messageOf(error), ...new Set(Object.values(fieldErrors(error))), providerWords(error)].filter(Boolean).join(' '),
        )
      }
    } finally {
      setBusy(false)
    }
  }

  const frame: BulkFormProps['frame'] = (fields, onSubmit, incomplete = false) => (
    <form
      className={classes['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!incomplete) onSubmit()
      }}
    >
      {fields}
      <FormEnd refusal={refusal} note={note} action={t('bulk.preview')} busy={busy} incomplete={incomplete} stays onCancel={onClose} />
    </form>
  )

  const request =
    given ??
    (kind === 'purge' || kind === 'refresh' || kind === 'delete' || kind === 'name_servers' || kind === 'tracker_check'
      ? { kind, input: {} }
      : null)
  const asks = request === null
  return (
    <>
      <Dialog
        opened={preview === null}
        onClose={busy ? () => undefined : onClose}
        title={title}
        size={kind === 'dns_add' ? 860 : 560}
        keepMounted
      >
        {request === null ? (
          <Form kind={kind} busy={busy} {...(about && { about })} frame={frame} onSubmit={(asked) => void submit(asked)} />
        ) : (
          <AtOnce request={request} onSubmit={(asked) => void submit(asked)} />
        )}
        {asks ? null : (
          <div className={classes['form']}>
            {note !== null ? (
              <p role="status" className={forms['note']}>
                {note}
              </p>
            ) : refusal === null ? (
              <p className={classes['planning']} role="status">
                <Loader size="xs" />
                {t('bulk.planning')}
              </p>
            ) : (
              <p role="alert" className={forms['refusal']}>
                {refusal}
              </p>
            )}
            <div className={classes['actions']}>
              <Button variant="default" onClick={onClose}>
                {t('common:close')}
              </Button>
            </div>
          </div>
        )}
      </Dialog>
      {preview === null ? null : (
        <PreviewDialog
          title={title}
          preview={preview}
          {...(asks && { onBack: () => setPreview(null) })}
          onStarted={onStarted}
          onClose={onClose}
        />
      )}
    </>
  )
}

/** What a request would do. */
function usePlanning() {
  const options = { meta: { failure: false }, trpc: { context: { alone: true } } } as const
  const changes = trpc.operations.preview.useMutation(options)
  const renewals = trpc.operations.previewRenewal.useMutation(options)
  const autoRenewal = trpc.operations.previewAutoRenew.useMutation(options)
  return (request: BulkRequest, target: BulkTarget | NamesTarget): Promise<OperationPreview & { totals?: readonly PurchaseTotal[] }> => {
    if (request.kind === 'renew') return renewals.mutateAsync({ target, ...request.input })
    if (request.kind === 'auto_renew') return autoRenewal.mutateAsync({ target, ...request.input })
    if ('nameIds' in target) throw new Error('names at registrars are renewed, and nothing else')
    return changes.mutateAsync({ request, target })
  }
}

function Form({ kind, ...props }: BulkFormProps & { kind: BulkKind }) {
  switch (kind) {
    case 'settings':
      return <SettingsForm {...props} />
    case 'ip':
      return <IpForm {...props} />
    case 'dns_add':
      return <DnsAddForm {...props} />
    case 'dns_delete':
      return <DnsDeleteForm {...props} />
    case 'dns_edit':
      return <DnsEditForm {...props} />
    case 'dns_replace':
      return <DnsReplaceForm {...props} />
    case 'profile':
      return <ProfileForm {...props} />
    case 'group':
      return <GroupForm {...props} />
    case 'registrar':
      return <RegistrarForm {...props} />
    case 'tracker_bind':
      return <TrackerBindForm {...props} />
    case 'tracker_unbind':
      return <TrackerUnbindForm {...props} />
    case 'renew':
      return <RenewForm {...props} />
    case 'auto_renew':
      return <AutoRenewForm {...props} />
    case 'replace':
      return <ReplaceForm {...props} />
    default:
      return null
  }
}

/** There is nothing to fill in. */
function AtOnce({ request, onSubmit }: { request: BulkRequest; onSubmit: BulkFormProps['onSubmit'] }) {
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    onSubmit(request)
  }, [request, onSubmit])
  return null
}
