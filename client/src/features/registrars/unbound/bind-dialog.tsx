import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountOrder, AddFields, newDomain, useManagedAccounts, type NewDomain } from '#client/features/domains/index.ts'
import { PreviewDialog } from '#client/features/operations/index.ts'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import type { RegistrarNameView } from '#shared/features/registrars/schema.ts'
import { failureOf, messageOf, providerWords } from '#client/lib/errors.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { useForm } from '#client/lib/forms.ts'
import { sentences } from '#client/lib/text.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { maxPerCall } from './queries.ts'

interface Fields extends NewDomain, Record<string, unknown> {}

/** Creates zones for purchased names and sets their name servers at the registrars (R-BUY-04). */
export function BindDialog({
  names,
  onStarted,
  onClose,
}: {
  names: readonly RegistrarNameView[]
  onStarted: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['registrars', 'common'])
  const navigate = useNavigate()
  const [accountIds, setAccountIds] = useState<string[]>([])
  const [withoutAccount, setWithoutAccount] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [preview, setPreview] = useState<OperationPreview | null>(null)
  const planning = trpc.operations.previewCreate.useMutation({ meta: { failure: false }, trpc: { context: { unbatched: true } } })
  const registrarsRead = trpc.registrars.list.useQuery({})
  const registrars = registrarsRead.data?.registrars ?? []
  const { accounts: managed, reading: readingAccounts } = useManagedAccounts()
  const reading = readingAccounts || registrarsRead.isPending
  const ownerOf = new Map(registrars.map(({ id, ownerId }) => [id, ownerId]))
  const [ownerId, ...others] = new Set(names.flatMap(({ registrarId }) => ownerOf.get(registrarId) ?? []))
  const accounts = managed.filter((account) => account.ownerId === ownerId)
  // With a single account there is no choice.
  const [only] = accounts
  const selected = accounts.length === 1 && only !== undefined ? [only.id] : accountIds
  const refusal =
    others.length > 0 ? t('unbound.owners') : names.length > maxPerCall ? t('unbound.most', { most: formatNumber(maxPerCall) }) : null

  const initial: Fields = { ...newDomain }
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/operations/schema.ts')).bulkCreateInput.omit({ domains: true, accountIds: true }),
    onSubmit: async (input) => {
      if (selected.length === 0 || refusal !== null) return
      setProblem(null)
      const domains = names.map(({ name, registrarId }) => ({ name, registrarId }))
      setPreview(await planning.mutateAsync({ ...input, accountIds: selected, domains }))
    },
    onFailure: (error) =>
      setProblem(failureOf(error).kind === 'cancelled' ? null : sentences(t('unbound.failed'), messageOf(error), providerWords(error))),
  })
  const title = t('unbound.dialog', { names: t('common:domains', counted(names.length)) })
  return (
    <>
      <Dialog opened={preview === null} onClose={onClose} title={title} size={680} keepMounted>
        <form
          className="column gap-16"
          noValidate
          onSubmit={(event) => {
            setWithoutAccount(selected.length === 0)
            void form.submit(event)
          }}
        >
          <p>{t('unbound.what')}</p>
          <AccountOrder
            accounts={accounts}
            value={selected}
            error={withoutAccount ? t('unbound.account') : undefined}
            spread={form.values.spread}
            onSpread={(spread) => form.merge({ spread })}
            onChange={(ids) => {
              setWithoutAccount(false)
              setAccountIds(ids)
            }}
          />
          <AddFields
            values={form.values}
            ip={{ ...form.text('ipAddress'), description: t('unbound.ip_optional') }}
            ownerId={ownerId}
            modes={['flexible', 'full']}
            onChange={form.merge}
          />
          <FormEnd
            refusal={problem ?? refusal}
            action={t('unbound.preview')}
            busy={form.submitting}
            incomplete={reading}
            onCancel={onClose}
          />
        </form>
      </Dialog>
      {preview === null ? null : (
        <Suspense>
          <PreviewDialog
            title={t('unbound.run_title')}
            preview={preview}
            onBack={() => setPreview(null)}
            onStarted={() => {
              onStarted()
              onClose()
              void navigate({ to: '/operations/$id', params: { id: preview.operation.id } })
            }}
            onClose={onClose}
          />
        </Suspense>
      )}
    </>
  )
}
