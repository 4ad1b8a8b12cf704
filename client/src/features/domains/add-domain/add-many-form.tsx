import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { failureOf, issueText, messageOf, providerWords } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { useForm } from '#client/lib/forms.ts'
import { useManagedGroups } from '#client/features/groups/index.ts'
import { sentences } from '#client/lib/text.ts'
import { trpc } from '#client/lib/trpc.ts'
import { TextPaste, type PastedLine } from '#client/ui/text-paste.tsx'
import { FormEnd } from '#client/ui/form-end.tsx'
import { mostNames } from '../lookup/split-names.ts'
import { AccountOrder } from './account-order.tsx'
import { AddFields, type NewDomain } from './add-fields.tsx'
import { dropManyDraft, manyDraft } from './many-draft.ts'
import { readLines, type Known } from './read-lines.ts'
import { RegistrarField } from './registrar-field.tsx'
import { useManagedAccounts } from './use-managed-accounts.ts'
import { useOurs } from './use-ours.ts'
import classes from './add-domain.module.css'

/** As much of a file as ten thousand long lines take. */
const mostBytes = 5_000_000

interface Many extends NewDomain, Record<string, unknown> {
  registrarId: string | null
}

/** Many domains over accounts in priority order: a list, then what it would do, then it runs (R-DOM-07). */
export function AddManyForm({ onPreview, onClose }: { onPreview: (preview: OperationPreview) => void; onClose: () => void }) {
  const { t } = useTranslation(['domains', 'common', 'faults'])
  const file = useRef<HTMLInputElement>(null)
  const planning = trpc.operations.previewCreate.useMutation({ meta: { failure: false }, trpc: { context: { alone: true } } })
  const { text, accountIds: chosen } = manyDraft.use()
  const [textProblem, setTextProblem] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [withoutAccount, setWithoutAccount] = useState(false)
  const { accounts: all, reading } = useManagedAccounts()
  // Where there is one account, there is nothing to choose.
  const accountIds = chosen?.filter((id) => all.some((account) => account.id === id)) ?? (all.length === 1 ? all.map(({ id }) => id) : [])
  const ownerId = all.find(({ id }) => id === accountIds[0])?.ownerId
  const accounts = all.filter((account) => ownerId === undefined || account.ownerId === ownerId)
  const groups = useManagedGroups(ownerId)

  const known = useMemo(
    (): Known => ({
      accounts: new Map(all.map(({ id, email }) => [email.toLowerCase(), id])),
      groups: new Map((groups ?? []).map(({ id, name }) => [name.trim().toLowerCase(), id])),
    }),
    [all, groups],
  )
  const shown = useDeferredValue(text)
  const read = useMemo(() => readLines(shown, known), [shown, known])
  const names = useMemo(() => read.domains.map(({ name }) => name), [read])
  const ours = useOurs(names)
  const good = useMemo(() => read.domains.filter(({ name }) => (ours.get(name) ?? null) === null), [read, ours])
  const faults = useMemo((): PastedLine[] => {
    const own = read.faults.map(({ line, given, fault }): PastedLine => ({
      number: line,
      tone: fault === 'domain_repeated' ? 'warn' : 'bad',
      text: `${given}: ${issueText({ path: '', message: fault })}`,
    }))
    const there = read.domains.flatMap(({ line, given, name }): PastedLine[] => {
      const account = ours.get(name) ?? null
      return account === null ? [] : [{ number: line, tone: 'warn', text: `${given}: ${t('add.ours', { account })}` }]
    })
    return [...own, ...there].toSorted((one, other) => one.number - other.number)
  }, [read, ours, t])

  const initial: Many = { ...manyDraft.get().values }
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/operations/schema.ts')).bulkCreateInput.omit({ domains: true, accountIds: true }),
    onSubmit: async (input) => {
      if (listProblem() !== undefined || accountIds.length === 0) return
      setProblem(null)
      onPreview(
        await planning.mutateAsync({ ...input, accountIds, domains: good.map(({ line: _line, given: _given, ...domain }) => domain) }),
      )
    },
    onFailure: (error) =>
      setProblem(failureOf(error).kind === 'cancelled' ? null : sentences(t('add.failed_many'), messageOf(error), providerWords(error))),
  })
  const { values } = form
  useEffect(() => manyDraft.set((before) => ({ ...before, values })), [values])
  const listProblem = (): string | undefined =>
    good.length === 0
      ? t(text.trim() === '' ? 'add.enter_domains' : 'add.none_good')
      : good.length > mostNames
        ? issueText({ path: '', message: 'too_many_lines', params: { max: formatNumber(mostNames) } })
        : undefined
  const change = (next: string): void => {
    setTextProblem(undefined)
    manyDraft.set((before) => ({ ...before, text: next }))
  }
  const take = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return
    if (given.size > mostBytes) return setTextProblem(t('add.file_too_large'))
    try {
      change(await given.text())
    } catch {
      setTextProblem(t('add.file_failed'))
    }
  }

  return (
    <>
      <form
        className="column gap-16"
        noValidate
        onSubmit={(event) => {
          setTextProblem(listProblem())
          setWithoutAccount(accountIds.length === 0)
          void form.submit(event)
        }}
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.preventDefault()
        }}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return
          event.preventDefault()
          void take(event.dataTransfer.files[0])
        }}
      >
        <div className="relative">
          <TextPaste
            label={t('add.domains')}
            help={t('add.domains_help', { most: formatNumber(mostNames) })}
            placeholder={'example.com\nexample.net, 203.0.113.10, anna@example.com'}
            value={text}
            rows={8}
            onChange={change}
            error={textProblem}
            faults={faults}
            summary={[
              t('add.understood', { count: good.length, formatted: formatNumber(good.length) }),
              ...(faults.length === 0 ? [] : [t('add.left_out', { count: faults.length, formatted: formatNumber(faults.length) })]),
            ].join(' · ')}
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
              void take(currentTarget.files?.[0]).finally(() => (currentTarget.value = ''))
            }}
          />
        </div>
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
          refusal={problem}
          action={t('add.preview')}
          busy={form.submitting}
          incomplete={reading}
          onCancel={() => {
            dropManyDraft()
            onClose()
          }}
        />
      </form>
    </>
  )
}
