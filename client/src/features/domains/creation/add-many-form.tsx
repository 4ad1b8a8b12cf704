import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { failureWords, issueText } from '#client/lib/errors.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { useForm } from '#client/lib/forms.ts'
import { useManagedGroups } from '#client/features/groups/index.ts'
import { joinFacts } from '#client/lib/text.ts'
import { trpc } from '#client/lib/trpc.ts'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { mostNames } from '../lookup/split-names.ts'
import { AccountOrder } from './account-order.tsx'
import { AddFields, type NewDomain } from './add-fields.tsx'
import { dropManyDraft, manyDraft } from './many-draft.ts'
import { readLines, type Known } from './read-lines.ts'
import { RegistrarField } from './registrar-field.tsx'
import { useManagedAccounts, useOurs } from './queries.ts'
import { usePastedFaults } from './use-pasted-faults.ts'
import classes from './add-domain.module.css'

/** The file size of ten thousand long lines. */
const mostBytes = 5_000_000

interface Many extends NewDomain, Record<string, unknown> {
  registrarId: string | null
}

/** Adds many domains over accounts in priority order: a list, a preview, then the operation (R-DOM-07). */
export function AddManyForm({ onPreview, onClose }: { onPreview: (preview: OperationPreview) => void; onClose: () => void }) {
  const { t } = useTranslation(['domains', 'common', 'faults'])
  const planning = trpc.operations.previewCreate.useMutation({ meta: { failure: false }, trpc: { context: { unbatched: true } } })
  const { text, accountIds: selected } = manyDraft.use()
  const [textProblem, setTextProblem] = useState<string>()
  const [withoutAccount, setWithoutAccount] = useState(false)
  const { all, accounts, accountIds, ownerId, reading } = useAccountChoice(selected)
  const groups = useManagedGroups(ownerId)
  const list = usePastedDomains(text, all, groups)

  const initial: Many = { ...manyDraft.get().values }
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/operations/schema.ts')).bulkCreateInput.omit({ domains: true, accountIds: true }),
    onSubmit: async (input) => {
      const { domains, problem } = list.current()
      if (problem !== undefined || accountIds.length === 0) return
      onPreview(
        await planning.mutateAsync({
          ...input,
          accountIds,
          domains: domains.map(({ line: _line, given: _given, ...domain }) => domain),
        }),
      )
    },
    refusalOf: (error) => failureWords(t('add.failed_many'), error),
  })
  const { values } = form
  useEffect(() => manyDraft.set((before) => ({ ...before, values })), [values])
  const change = (next: string): void => {
    setTextProblem(undefined)
    manyDraft.set((before) => ({ ...before, text: next }))
  }
  const takeFile = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return
    if (given.size > mostBytes) return setTextProblem(t('add.file_too_large'))
    try {
      change(await given.text())
    } catch {
      setTextProblem(t('add.file_failed'))
    }
  }

  return (
    <form
      className="column gap-16"
      noValidate
      onSubmit={(event) => {
        setTextProblem(list.current().problem)
        setWithoutAccount(accountIds.length === 0)
        void form.submit(event)
      }}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      }}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        void takeFile(event.dataTransfer.files[0])
      }}
    >
      <DomainsField value={text} list={list} error={textProblem} onChange={change} onFile={takeFile} />
      <AccountOrder
        accounts={accounts}
        value={accountIds}
        error={withoutAccount ? t('faults:select_account') : undefined}
        spread={form.values.spread}
        onSpread={(spread) => form.merge({ spread })}
        onChange={(ids) => {
          setWithoutAccount(false)
          manyDraft.set((before) => ({ ...before, accountIds: ids }))
        }}
      />
      <AddFields
        values={form.values}
        ip={{ ...form.text('ipAddress'), description: t('add.ip_optional') }}
        ownerId={ownerId}
        modes={['flexible', 'full']}
        onChange={form.merge}
      />
      <RegistrarField value={form.values.registrarId} ownerId={ownerId} onChange={(id) => form.set('registrarId', id)} />
      <FormEnd
        refusal={form.refusal}
        action={t('add.preview')}
        busy={form.submitting}
        incomplete={reading}
        onCancel={() => {
          dropManyDraft()
          onClose()
        }}
      />
    </form>
  )
}

/** The selected accounts and the remaining options, all of one owner. */
function useAccountChoice(selected: readonly string[] | null) {
  const { accounts: all, reading } = useManagedAccounts()
  // With a single account there is no choice.
  const accountIds = selected?.filter((id) => all.some((account) => account.id === id)) ?? (all.length === 1 ? all.map(({ id }) => id) : [])
  const ownerId = all.find(({ id }) => id === accountIds[0])?.ownerId
  const accounts = all.filter((account) => ownerId === undefined || account.ownerId === ownerId)
  return { all, accounts, accountIds, ownerId, reading }
}

type PastedDomains = ReturnType<typeof usePastedDomains>

/** The parsed list: valid domains and line errors; `current` also says why it cannot be used as a whole. */
function usePastedDomains(text: string, accounts: readonly Account[], groups: readonly Pick<Group, 'id' | 'name'>[] | undefined) {
  const { t } = useTranslation('domains')
  const known = useMemo(
    (): Known => ({
      accounts: new Map(accounts.map(({ id, email }) => [email.toLowerCase(), id])),
      groups: new Map((groups ?? []).map(({ id, name }) => [name.trim().toLowerCase(), id])),
    }),
    [accounts, groups],
  )
  const shown = useDeferredValue(text)
  const read = useMemo(() => readLines(shown, known), [shown, known])
  const names = useMemo(() => read.domains.map(({ name }) => name), [read])
  const ours = useOurs(names)
  const domains = useMemo(() => read.domains.filter(({ name }) => (ours.get(name) ?? null) === null), [read, ours])
  const faults = usePastedFaults(read.faults, read.domains, ours)
  /** What the text says now: the displayed list may lag behind the input. */
  const current = () => {
    const good = (shown === text ? read : readLines(text, known)).domains.filter(({ name }) => (ours.get(name) ?? null) === null)
    const problem =
      good.length === 0
        ? t(text.trim() === '' ? 'add.enter_domains' : 'add.none_good')
        : good.length > mostNames
          ? issueText({ path: '', message: 'too_many_lines', params: { max: formatNumber(mostNames) } })
          : undefined
    return { domains: good, problem }
  }
  return { domains, faults, current }
}

/** The list of domains, typed, pasted or from a file. */
function DomainsField({
  value,
  list: { domains, faults },
  error,
  onChange,
  onFile,
}: {
  value: string
  list: PastedDomains
  error: string | undefined
  onChange: (text: string) => void
  onFile: (file: File | undefined) => Promise<void>
}) {
  const { t } = useTranslation('domains')
  const file = useRef<HTMLInputElement>(null)
  return (
    <div className="relative">
      <TextPaste
        label={t('add.domains')}
        help={t('add.domains_help', { most: formatNumber(mostNames) })}
        placeholder={'example.com\nexample.net, 203.0.113.10, anna@example.com'}
        value={value}
        rows={8}
        onChange={onChange}
        error={error}
        faults={faults}
        summary={joinFacts(
          t('add.understood', counted(domains.length)),
          faults.length === 0 ? null : t('add.left_out', counted(faults.length)),
        )}
      />
      <Button
        className={classes['file'] ?? ''}
        variant="subtle"
        size="compact-xs"
        leftSection={<IconUpload size={13} stroke={1.8} aria-hidden />}
        onClick={() => file.current?.click()}
      >
        {t('add.file')}
      </Button>
      <input
        ref={file}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        hidden
        aria-label={t('add.file')}
        onChange={(event) => {
          const { currentTarget } = event
          void onFile(currentTarget.files?.[0]).finally(() => (currentTarget.value = ''))
        }}
      />
    </div>
  )
}
