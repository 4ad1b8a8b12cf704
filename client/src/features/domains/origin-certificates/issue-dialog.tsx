import { Button, NativeSelect, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { originKeyTypes, originValidities } from '#shared/features/domains/origin-certificates/choices.ts'
import { fieldErrors } from '#client/lib/errors.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { PemField } from './pem-field.tsx'
import { useReread } from './queries.ts'

type Issued = Outputs['originCertificates']['get'] & { readonly privateKey?: string }

/** Issues a certificate; a new key is shown once. */
export function IssueDialog({ domainId, name, onClose }: { domainId: string; name: string; onClose: () => void }) {
  const { t } = useTranslation('security')
  const [issued, setIssued] = useState<Issued | null>(null)
  const shown = issued?.privateKey !== undefined
  return (
    <Dialog
      onClose={onClose}
      title={t(issued === null ? 'origin.issue_title' : 'origin.issued_title', { domain: name })}
      size={560}
      closeOnClickOutside={!shown}
      closeOnEscape={!shown}
      withCloseButton={!shown}
    >
      {issued === null ? (
        <IssueForm domainId={domainId} name={name} onIssued={setIssued} onClose={onClose} />
      ) : (
        <IssuedCertificate issued={issued} name={name} onClose={onClose} />
      )}
    </Dialog>
  )
}

const keys = [...originKeyTypes, 'csr'] as const
type Key = (typeof keys)[number]

/** What is wrong with the hostnames, by name. */
function hostnameErrors(errors: Readonly<Record<string, string>>, names: readonly string[]): ReactNode {
  const found = Object.entries(errors).filter(([path]) => path === 'hostnames' || path.startsWith('hostnames.'))
  if (found.length === 0) return undefined
  return found.map(([path, text]) => {
    const name = path === 'hostnames' ? undefined : names[Number(path.slice('hostnames.'.length))]
    return (
      <span key={path} className="block anywhere">
        {name === undefined ? text : `${name}: ${text}`}
      </span>
    )
  })
}

interface FormProps {
  domainId: string
  name: string
  onIssued: (issued: Issued) => void
  onClose: () => void
}

function IssueForm({ domainId, name, onIssued, onClose }: FormProps) {
  const { t } = useTranslation(['security', 'common'])
  // The response contains the key, so it is not cached.
  const options = { gcTime: 0, meta: { failure: false as const }, onSettled: useReread(domainId) }
  const issue = trpc.originCertificates.issue.useMutation(options)
  const sign = trpc.originCertificates.sign.useMutation(options)
  const [key, setKey] = useState<Key>('rsa')
  const [csr, setCsr] = useState('')
  const [hostnames, setHostnames] = useState(`${name}\n*.${name}`)
  const [validityDays, setValidityDays] = useState<(typeof originValidities)[number]>(5475)
  const [keepKey, setKeepKey] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [sent, setSent] = useState<readonly string[]>([])
  const busy = issue.isPending || sign.isPending

  const submit = async (): Promise<void> => {
    if (busy) return
    const names = hostnames.split(/[\s,]+/).filter((each) => each !== '')
    const order = { id: domainId, validityDays, ...(names.length > 0 && { hostnames: names }) }
    setErrors({})
    setSent(names)
    try {
      onIssued(key === 'csr' ? await sign.mutateAsync({ ...order, csr }) : await issue.mutateAsync({ ...order, keyType: key, keepKey }))
    } catch (error) {
      const found = fieldErrors(error)
      setErrors(found)
      if (Object.keys(found).length === 0) toast.failure(error, t('origin.issue_failed'))
    }
  }

  return (
    <form className="column gap-16" onSubmit={(event) => handleSubmit(event, submit)} noValidate>
      <NativeSelect
        label={t('origin.key')}
        value={key}
        onChange={(event) => setKey(keys.find((each) => each === event.currentTarget.value) ?? 'rsa')}
        data={keys.map((value) => ({ value, label: t(`origin.keys.${value}`) }))}
        description={t(key === 'csr' ? 'origin.key_own_help' : 'origin.key_new_help')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data-autofocus
      />
      {key === 'csr' ? (
        <Textarea
          label={t('origin.csr')}
          value={csr}
          onChange={(event) => setCsr(event.currentTarget.value)}
          error={errors['csr']}
          classNames={{ input: 'mono' }}
          rows={6}
          autoComplete="off"
          spellCheck={false}
          required
        />
      ) : null}
      <Textarea
        label={t('origin.hostnames')}
        description={t('origin.hostnames_help')}
        value={hostnames}
        onChange={(event) => setHostnames(event.currentTarget.value)}
        error={hostnameErrors(errors, sent)}
        classNames={{ input: 'mono' }}
        rows={3}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <NativeSelect
        label={t('certificates.validity')}
        value={String(validityDays)}
        onChange={(event) => setValidityDays(originValidities.find((each) => String(each) === event.currentTarget.value) ?? 5475)}
        data={originValidities.map((days) => ({
          value: String(days),
          label: days >= 365 ? t('origin.years', counted(days / 365)) : t('certificates.days', counted(days)),
        }))}
      />
      {key === 'csr' ? null : <NamedSwitch name={t('origin.keep')} help={t('origin.keep_help')} on={keepKey} onChange={setKeepKey} />}
      <FormEnd action={t('origin.issue')} busy={busy} stays onCancel={onClose} />
    </form>
  )
}

function IssuedCertificate({ issued, name, onClose }: { issued: Issued; name: string; onClose: () => void }) {
  const { t } = useTranslation(['security', 'common'])
  const { certificate, privateKey } = issued
  return (
    <div className="column gap-16">
      {privateKey === undefined ? null : (
        <>
          <WarningBox title={t(certificate.hasKey ? 'origin.kept_title' : 'origin.once_title')}>
            {t(certificate.hasKey ? 'origin.kept_text' : 'origin.once_text')}
          </WarningBox>
          <PemField label={t('origin.key')} text={privateKey} fileName={`${name}.key`} />
        </>
      )}
      {certificate.pem === null ? null : <PemField label={t('origin.certificate')} text={certificate.pem} fileName={`${name}.pem`} />}
      <div className="flex gap-8 end mt-4">
        <Button onClick={onClose}>{privateKey === undefined ? t('common:close') : t('origin.saved')}</Button>
      </div>
    </div>
  )
}
