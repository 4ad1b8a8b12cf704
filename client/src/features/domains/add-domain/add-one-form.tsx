import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, messageOf, providerWords } from '#client/lib/errors.ts'
import { useForm, type Form } from '#client/lib/forms.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { filterOptionsQuery, refreshDomains } from '../use-domain-rows.ts'
import { AddFields, newDomain, type NewDomain } from './add-fields.tsx'
import { AddedDomain } from './added-domain.tsx'
import classes from './add-domain.module.css'

interface One extends NewDomain {
  domainName: string
  accountId: string
}

/** One domain, and then its name servers to set (R-DOM-05, 06). */
export function AddOneForm({ onAdded, onAgain, onClose }: { onAdded: () => void; onAgain: () => void; onClose: () => void }) {
  const { t } = useTranslation(['domains', 'common'])
  const create = trpc.zoneCreation.create.useMutation({ meta: { failure: false }, trpc: { context: { alone: true } } })
  const accounts = useQuery(filterOptionsQuery(undefined)).data?.accounts ?? []
  const [problem, setProblem] = useState<string | null>(null)
  const [added, setAdded] = useState<Outputs['zoneCreation']['create'] | null>(null)
  const initial: One = { ...newDomain, domainName: '', accountId: '' }
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/zone-creation/schema.ts')).createZoneInput,
    onSubmit: async (input) => {
      setProblem(null)
      const made = await create.mutateAsync(input)
      setAdded(made)
      onAdded()
      void refreshDomains()
    },
    onFailure: (error) =>
      setProblem(failureOf(error).kind === 'cancelled' ? null : [messageOf(error), providerWords(error)].filter(Boolean).join(' ')),
  })

  if (added !== null) {
    return (
      <AddedDomain
        added={added}
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
    <form className={classes['form']} onSubmit={form.submit} noValidate>
      <TextInput
        {...form.text('domainName')}
        label={t('add.name')}
        placeholder="example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        data-autofocus
      />
      <Select
        label={t('add.account')}
        placeholder={t('add.choose_account')}
        value={form.values.accountId === '' ? null : form.values.accountId}
        onChange={(id) => form.set('accountId', id ?? '')}
        error={form.errors['accountId']}
        data={accounts.map(({ id, email, name }) => ({ value: id, label: name === null || name === '' ? email : `${name} · ${email}` }))}
        nothingFoundMessage={t('common:filters.none')}
        searchable
        required
      />
      <AddFields form={form as unknown as Form<NewDomain>} modes={['flexible', 'full', 'strict', 'off']} />
      {problem === null ? null : (
        <p role="alert" className={classes['refusal']}>
          {problem}
        </p>
      )}
      <div className={classes['actions']}>
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t('add.submit')}
        </Button>
      </div>
    </form>
  )
}
