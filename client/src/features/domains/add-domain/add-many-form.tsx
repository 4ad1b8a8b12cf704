import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { Button, MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { PreviewDialog } from '#client/features/operations/index.ts'
import { failureOf, issueText, messageOf, providerWords } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { useForm, type Form } from '#client/lib/forms.ts'
import { trpc } from '#client/lib/trpc.ts'
import { TextPaste } from '#client/ui/text-paste.tsx'
import { filterOptionsQuery } from '../use-domain-rows.ts'
import { AddFields, newDomain, type NewDomain } from './add-fields.tsx'
import { readLines } from './read-lines.ts'
import classes from './add-domain.module.css'

interface Many extends NewDomain {
  domains: string[]
  accountIds: string[]
}

/** Many domains over accounts in priority order: a list, then what it would do, then it runs (R-DOM-07). */
export function AddManyForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['domains', 'common'])
  const navigate = useNavigate()
  const planning = trpc.operations.previewCreate.useMutation({ meta: { failure: false }, trpc: { context: { alone: true } } })
  const accounts = useQuery(filterOptionsQuery(undefined)).data?.accounts ?? []
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [preview, setPreview] = useState<OperationPreview | null>(null)
  const initial: Many = { ...newDomain, domains: [], accountIds: [] }
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/operations/schema.ts')).bulkCreateInput,
    onSubmit: async (input) => {
      setProblem(null)
      setPreview(await planning.mutateAsync(input))
    },
    onFailure: (error) =>
      setProblem(failureOf(error).kind === 'cancelled' ? null : [messageOf(error), providerWords(error)].filter(Boolean).join(' ')),
  })
  const shown = useDeferredValue(text)
  const { names, faults } = useMemo(() => readLines(shown), [shown])

  return (
    <>
      <form className={classes['form']} onSubmit={form.submit} noValidate>
        <TextPaste
          label={t('add.domains')}
          help={t('add.domains_help')}
          placeholder={'example.com\nexample.net'}
          value={text}
          rows={8}
          onChange={(next) => {
            setText(next)
            form.set('domains', [...readLines(next).names])
          }}
          error={form.errors['domains'] === undefined ? undefined : t('add.enter_domains')}
          faults={faults.map(({ line, given, fault }) => ({
            number: line,
            tone: fault === 'domain_repeated' ? 'warn' : 'bad',
            text: `${given}: ${issueText({ path: '', message: fault })}`,
          }))}
          summary={t('add.understood', { count: names.length, formatted: formatNumber(names.length) })}
        />
        <MultiSelect
          label={t('add.accounts')}
          description={t('add.accounts_help')}
          value={form.values.accountIds}
          onChange={(ids) => form.set('accountIds', ids)}
          error={form.errors['accountIds'] === undefined ? undefined : t('add.select_account')}
          data={accounts.map(({ id, email }) => ({ value: id, label: email }))}
          nothingFoundMessage={t('common:filters.none')}
          searchable
          hidePickedOptions
          required
        />
        <AddFields form={form as unknown as Form<NewDomain>} modes={['flexible', 'full']} />
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
            {t('add.preview')}
          </Button>
        </div>
      </form>
      {preview === null ? null : (
        <Suspense>
          <PreviewDialog
            title={t('add.many_title')}
            preview={preview}
            onBack={() => setPreview(null)}
            onStarted={() => {
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
