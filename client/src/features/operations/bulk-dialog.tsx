import { Button, Loader } from '@mantine/core'
import { useEffect, useRef, useState, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { handleSubmit } from '#client/lib/forms.ts'
import { failureOf, fieldErrors, messageOf, providerWords } from '#client/lib/errors.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import type { BulkAbout, BulkFormProps, BulkTarget, BulkRequest, NamesTarget } from './bulk-form.ts'
import { GroupForm, ProfileForm, RegistrarForm } from './choice-forms.tsx'
import { DnsAddForm } from './dns-add-form.tsx'
import { DnsDeleteForm } from './dns-delete-form.tsx'
import { DnsEditForm } from './dns-edit-form.tsx'
import { DnsReplaceForm } from './dns-replace-form.tsx'
import { IpAccessAddForm, IpAccessDeleteForm } from './ip-access-forms.tsx'
import { IpForm } from './ip-form.tsx'
import { kindView, type BulkKind } from './kinds.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import type { Preview } from './preview-warnings.tsx'
import { AutoRenewForm, DnssecForm, RenewForm } from './renewal-forms.tsx'
import { RedirectDomainsForm } from './redirect-domains-form.tsx'
import { ReplaceForm } from './replace-form.tsx'
import { SettingsForm } from './settings-form.tsx'
import { TrackerBindForm, TrackerUnbindForm } from './tracker-forms.tsx'
import { useFailureTitle } from './use-failure-title.ts'
import { useOperationWords } from './use-operation-words.ts'
import texts from '#client/ui/form/form.module.css'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { FormError } from '#client/ui/form/form-error.tsx'
import classes from './operations.module.css'

/** The form of each kind; null: it has no input. */
const forms = {
  settings: SettingsForm,
  ip: IpForm,
  dns_add: DnsAddForm,
  dns_delete: DnsDeleteForm,
  dns_edit: DnsEditForm,
  dns_replace: DnsReplaceForm,
  ip_access_add: IpAccessAddForm,
  ip_access_delete: IpAccessDeleteForm,
  redirects: RedirectDomainsForm,
  profile: ProfileForm,
  group: GroupForm,
  registrar: RegistrarForm,
  tracker_bind: TrackerBindForm,
  tracker_unbind: TrackerUnbindForm,
  replace: ReplaceForm,
  purge: null,
  refresh: null,
  delete: null,
  name_servers: null,
  dnssec: DnssecForm,
  tracker_check: null,
  renew: RenewForm,
  auto_renew: AutoRenewForm,
} satisfies Record<BulkKind, ComponentType<BulkFormProps> | null>

type PlainKind = { [K in BulkKind]: (typeof forms)[K] extends null ? K : never }[BulkKind]
const asksNothing = (kind: BulkKind): kind is PlainKind => forms[kind] === null

/** A bulk change: its input, its preview, then its start (R-DOM-08). */
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
  /** Known input, if any. */
  given?: BulkRequest
  about?: BulkAbout
  /** The selected domains; they may have to be fetched first. */
  targetOf: () => Promise<BulkTarget | NamesTarget>
  onStarted: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const { preview, leavePreview, busy, refusal, note, submit } = usePreview(kind, count, targetOf)
  const detaches = preview?.operation.subject === '' || (given?.kind === 'profile' && given.input.profileId === null)
  const title = t(detaches ? 'bulk.profile_detach_title' : `bulk.${kind}_title`, { domains: words.domains(count) })

  const frame: BulkFormProps['frame'] = (fields, onSubmit, incomplete = false) => (
    <form
      className={`column gap-14 ${classes['form']}`}
      noValidate
      onSubmit={(event) =>
        handleSubmit(event, () => {
          if (!incomplete) onSubmit()
        })
      }
    >
      {fields}
      <FormEnd refusal={refusal} note={note} action={t('bulk.preview')} busy={busy} incomplete={incomplete} stays onCancel={onClose} />
    </form>
  )

  const request = given ?? (asksNothing(kind) ? { kind, input: {} } : null)
  const Form: ComponentType<BulkFormProps> | null = forms[kind]
  const asks = request === null
  return (
    <>
      <Dialog
        opened={preview === null}
        onClose={busy ? () => undefined : onClose}
        title={title}
        size={kindView(kind).wide ? 860 : 560}
        keepMounted
      >
        {request === null && Form !== null ? (
          <Form busy={busy} {...(about && { about })} frame={frame} onSubmit={(asked) => void submit(asked)} />
        ) : request === null ? null : (
          <SubmitDirectly request={request} onSubmit={(asked) => void submit(asked)} />
        )}
        {asks ? null : <Planning note={note} refusal={refusal} onClose={onClose} />}
      </Dialog>
      {preview === null ? null : (
        <PreviewDialog title={title} preview={preview} {...(asks && { onBack: leavePreview })} onStarted={onStarted} onClose={onClose} />
      )}
    </>
  )
}

/** Requests the preview of a request; `note` and `refusal` say why there is none. */
function usePreview(kind: BulkKind, count: number, targetOf: () => Promise<BulkTarget | NamesTarget>) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const [preview, setPreview] = useState<Preview | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const plan = usePlanning()
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
        setNote(t(kindView(kind).unchanged ?? 'bulk.unchanged', { domains }))
      } else if (failure.kind !== 'cancelled') {
        setRefusal(
          [`${failed}.`, messageOf(error), ...new Set(Object.values(fieldErrors(error))), providerWords(error)].filter(Boolean).join(' '),
        )
      }
    } finally {
      setBusy(false)
    }
  }
  return { preview, leavePreview: (): void => setPreview(null), busy, refusal, note, submit }
}

/** Shown in place of a form when there is no input. */
function Planning({ note, refusal, onClose }: { note: string | null; refusal: string | null; onClose: () => void }) {
  const { t } = useTranslation(['operations', 'common'])
  return (
    <div className={`column gap-14 ${classes['form']}`}>
      {note !== null ? (
        <p role="status" className={`size-13 primary radius-8 ${texts['note']}`}>
          {note}
        </p>
      ) : refusal === null ? (
        <p className={`row gap-10 secondary ${classes['planning']}`} role="status">
          <Loader size="xs" />
          {t('bulk.planning')}
        </p>
      ) : (
        <FormError text={refusal} />
      )}
      <div className={`flex wrap gap-8 end ${classes['actions']}`}>
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
      </div>
    </div>
  )
}

/** The preview of a request. */
function usePlanning() {
  const options = { meta: { failure: false }, trpc: { context: { unbatched: true } } } as const
  const changes = trpc.operations.preview.useMutation(options)
  const renewals = trpc.operations.previewRenewal.useMutation(options)
  const redirects = trpc.operations.previewDomainRedirects.useMutation(options)
  const autoRenewal = trpc.operations.previewAutoRenew.useMutation(options)
  return (request: BulkRequest, target: BulkTarget | NamesTarget): Promise<Preview> => {
    if (request.kind === 'renew') return renewals.mutateAsync({ target, ...request.input })
    if (request.kind === 'auto_renew') return autoRenewal.mutateAsync({ target, ...request.input })
    if ('nameIds' in target) throw new Error('names at registrars can only be renewed')
    if (request.kind === 'redirects') return redirects.mutateAsync({ target, ...request.input })
    return changes.mutateAsync({ request, target })
  }
}

/** There is no input. */
function SubmitDirectly({ request, onSubmit }: { request: BulkRequest; onSubmit: BulkFormProps['onSubmit'] }) {
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    onSubmit(request)
  }, [request, onSubmit])
  return null
}
