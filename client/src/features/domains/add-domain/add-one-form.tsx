import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, messageOf, providerWords } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { sentences } from '#client/lib/text.ts'
import { trpc, type Inputs, type Outputs } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form-end.tsx'
import { refreshDomains } from '../list/queries.ts'
import { AddFields, newDomain, type NewDomain } from './add-fields.tsx'
import { AccountOption, AccountStanding, useStandings } from './account-standing.tsx'
import { AddedDomain } from './added-domain.tsx'
import { RegistrarField } from './registrar-field.tsx'
import { useManagedAccounts } from './use-managed-accounts.ts'

interface One extends NewDomain, Record<string, unknown> {
  registrarId: string | null
  domainName: string
  /** Null: not chosen; where there is one account it is that. */
  accountId: string | null
}
interface Added {
  answer: Outputs['zoneCreation']['create']
  input: Inputs['zoneCreation']['create']
}

/** One domain, and then its name servers to set (R-DOM-05, 06). */
export function AddOneForm({ onAdded, onAgain, onClose }: { onAdded: () => void; onAgain: () => void; onClose: () => void }) {
  const { t } = useTranslation(['domains', 'common', 'validation'])
  const create = trpc.zoneCreation.create.useMutation({ meta: { failure: false }, trpc: { context: { alone: true } } })
  const { accounts, reading } = useManagedAccounts()
  const standings = useStandings()
  const [problem, setProblem] = useState<string | null>(null)
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
      setProblem(null)
      await add({ ...input, accountId })
      onAdded()
    },
    onFailure: (error) =>
      setProblem(failureOf(error).kind === 'cancelled' ? null : sentences(t('add.failed'), messageOf(error), providerWords(error))),
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
      <Select
        label={t('add.account')}
        placeholder={t('add.choose_account')}
        value={accountId}
        onChange={(id) => {
          setWithoutAccount(false)
          form.set('accountId', id)
        }}
        error={withoutAccount ? t('validation:required') : undefined}
        data={accounts.map(({ id, email, name }) => ({ value: id, label: name === null || name === '' ? email : `${name} · ${email}` }))}
        renderOption={({ option }) => (
          <AccountOption account={accounts.find(({ id }) => id === option.value)} standing={standings.get(option.value)} />
        )}
        description={
          accountId === null ? undefined : (
            <AccountStanding account={accounts.find(({ id }) => id === accountId)} standing={standings.get(accountId)} />
          )
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        limit={200}
        nothingFoundMessage={t('common:filters.none')}
        searchable
        required
      />
      <AddFields
        values={form.values}
        ip={{ ...form.text('ipAddress'), required: true }}
        ownerId={ownerId}
        modes={['flexible', 'full', 'strict', 'off']}
        onChange={form.merge}
      />
      <RegistrarField value={form.values.registrarId} ownerId={ownerId} onChange={(id) => form.set('registrarId', id)} />
      <FormEnd refusal={problem} action={t('add.submit')} busy={form.submitting} incomplete={reading} onCancel={onClose} />
    </form>
  )
}
