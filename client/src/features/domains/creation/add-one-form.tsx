import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { failureWords } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { trpc, type Inputs, type Outputs } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { refreshDomains } from '../list/queries.ts'
import { AddFields, newDomain, type NewDomain } from './add-fields.tsx'
import { AccountOption, AccountCapacity, useAccountCapacities } from './account-capacity.tsx'
import { AddedDomain } from './added-domain.tsx'
import { RegistrarField } from './registrar-field.tsx'
import { useManagedAccounts } from './queries.ts'

interface One extends NewDomain, Record<string, unknown> {
  registrarId: string | null
  domainName: string
  /** Null: not selected; a single account is selected automatically. */
  accountId: string | null
}
interface Added {
  answer: Outputs['zoneCreation']['create']
  input: Inputs['zoneCreation']['create']
}

/** Adds one domain, then shows the name servers to set (R-DOM-05, 06). */
export function AddOneForm({ onAdded, onAgain, onClose }: { onAdded: () => void; onAgain: () => void; onClose: () => void }) {
  const { t } = useTranslation(['domains', 'common', 'validation'])
  const create = trpc.zoneCreation.create.useMutation({ meta: { failure: false }, trpc: { context: { unbatched: true } } })
  const { accounts, reading } = useManagedAccounts()
  const [withoutAccount, setWithoutAccount] = useState(false)
  const [added, setAdded] = useState<Added | null>(null)
  const initial: One = { ...newDomain, registrarId: null, domainName: '', accountId: null }

  const add = async (input: Added['input']): Promise<void> => {
    const answer = await create.mutateAsync(input)
    setAdded({ answer, input })
    void refreshDomains()
  }
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/domains/creation/schema.ts')).createZoneInput.omit({ accountId: true }),
    onSubmit: async (input) => {
      if (accountId === null) return
      await add({ ...input, accountId })
      onAdded()
    },
    refusalOf: (error) => failureWords(t('add.failed'), error),
  })
  const [only, ...others] = accounts
  const accountId = form.values.accountId ?? (others.length === 0 ? (only?.id ?? null) : null)
  const ownerId = accounts.find(({ id }) => id === accountId)?.ownerId

  if (added !== null) {
    return (
      <AddedDomain
        added={added.answer}
        input={added.input}
        onRetry={() => add(added.input)}
        onAgain={() => {
          setAdded(null)
          form.set('domainName', '')
          onAgain()
        }}
        onClose={onClose}
      />
    )
  }
  return (
    <form
      className="column gap-16"
      noValidate
      onSubmit={(event) => {
        setWithoutAccount(accountId === null)
        void form.submit(event)
      }}
    >
      <TextInput
        {...form.text('domainName')}
        label={t('add.name')}
        placeholder="example.com"
        classNames={{ input: 'mono' }}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        data-autofocus
      />
      <AccountField
        accounts={accounts}
        value={accountId}
        error={withoutAccount ? t('validation:required') : undefined}
        onChange={(id) => {
          setWithoutAccount(false)
          form.set('accountId', id)
        }}
      />
      <AddFields
        values={form.values}
        ip={{ ...form.text('ipAddress'), required: true }}
        ownerId={ownerId}
        modes={['flexible', 'full', 'strict', 'off']}
        onChange={form.merge}
      />
      <RegistrarField value={form.values.registrarId} ownerId={ownerId} onChange={(id) => form.set('registrarId', id)} />
      <FormEnd refusal={form.refusal} action={t('add.submit')} busy={form.submitting} incomplete={reading} onCancel={onClose} />
    </form>
  )
}

function AccountField({
  accounts,
  value,
  error,
  onChange,
}: {
  accounts: readonly Account[]
  value: string | null
  error: string | undefined
  onChange: (id: string | null) => void
}) {
  const { t } = useTranslation(['domains', 'common'])
  const capacities = useAccountCapacities()
  const byId = (wanted: string): Account | undefined => accounts.find(({ id }) => id === wanted)
  return (
    <Select
      label={t('add.account')}
      placeholder={t('add.choose_account')}
      value={value}
      onChange={onChange}
      error={error}
      data={accounts.map(({ id, email, name }) => ({ value: id, label: name === null || name === '' ? email : `${name} · ${email}` }))}
      renderOption={({ option }) => <AccountOption account={byId(option.value)} capacity={capacities.get(option.value)} />}
      description={value === null ? undefined : <AccountCapacity account={byId(value)} capacity={capacities.get(value)} />}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      limit={200}
      nothingFoundMessage={t('common:filters.none')}
      searchable
      required
    />
  )
}
