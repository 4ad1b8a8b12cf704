import { Button, Checkbox } from '@mantine/core'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { handleSubmit } from '#client/lib/forms.ts'
import { issueText } from '#client/lib/errors.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import { justAdded } from './check-banner.tsx'
import { allFaults, leftOver, withAnswer, type LineErrors } from './line-errors.ts'
import classes from './accounts.module.css'

type Rules = Pick<typeof import('#shared/features/accounts/rules.ts'), 'parseAccountLines'> &
  Pick<typeof import('#shared/features/accounts/schema.ts'), 'maximumLines'>

/** They depend on zod, so they load with the form and not with the page. */
async function loadRules(): Promise<Rules> {
  const [{ parseAccountLines }, { maximumLines }] = await Promise.all([
    import('#shared/features/accounts/rules.ts'),
    import('#shared/features/accounts/schema.ts'),
  ])
  return { parseAccountLines, maximumLines }
}

/** Adds many accounts from pasted lines: valid lines are counted while typing, and errors are shown by line. */
export function ManyAccountsForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { t } = useTranslation(['accounts', 'common'])
  const [text, setText] = useState('')
  const [rules, setRules] = useState<Rules | null>(null)
  const [skipFaulty, setSkipFaulty] = useState(false)
  /** Errors that only the server knows: existing accounts. */
  const [lineErrors, setLineErrors] = useState<LineErrors>(new Map())
  const [error, setError] = useState<string>()
  const add = trpc.accounts.addMany.useMutation({ meta: { failure: t('failed.add') } })

  useEffect(() => {
    void loadRules().then(setRules)
  }, [])

  const shown = useDeferredValue(text)
  const parsed = useMemo(() => rules?.parseAccountLines(shown), [rules, shown])
  const { faults, good } = useMemo(() => allFaults(shown, parsed ?? { items: [], faults: [] }, lineErrors), [shown, parsed, lineErrors])

  const submit = async (): Promise<void> => {
    if (add.isPending) return
    const { parseAccountLines, maximumLines } = rules ?? (await loadRules())
    const now = parseAccountLines(text)
    if (now.items.length + now.faults.length === 0) return setError(t('bulk.empty'))
    if (now.items.length + now.faults.length > maximumLines) {
      return setError(t('bulk.too_many', { max: formatNumber(maximumLines) }))
    }
    if (now.items.length === 0) return setError(t('bulk.no_valid'))
    setError(undefined)
    const result = await add.mutateAsync({ text, skipFaulty, checkKeys: true })
    if (result.added > 0) {
      justAdded.set(result.added)
      await refresh('accounts')
      const total = now.items.length + now.faults.length
      if (result.added === total) toast.success(t('bulk.added', counted(total)), t('form.added_text'))
      else toast.warning(t('bulk.added_some', { done: formatNumber(result.added), count: total, formatted: formatNumber(total) }))
    }
    if (result.faults.length === 0) return onDone()
    setLineErrors((before) => withAnswer(before, text, result.faults, result.added > 0))
    if (result.added === 0) return
    // Lines that were not added stay in the field.
    setText(leftOver(text, result.faults))
    setSkipFaulty(false)
    setError(t('bulk.keep'))
  }

  return (
    <form className="column gap-16" noValidate onSubmit={(event) => handleSubmit(event, () => submit().catch(() => undefined))}>
      <TextPaste
        label={t('bulk.label')}
        help={t('bulk.help')}
        placeholder={t('bulk.placeholder')}
        value={text}
        onChange={(next) => {
          setText(next)
          setError(undefined)
        }}
        error={error}
        faults={faults.map((fault) => ({ number: fault.line, tone: 'bad', text: issueText({ path: '', message: fault.message }) }))}
        summary={[t('bulk.understood', counted(good)), ...(faults.length === 0 ? [] : [t('bulk.faulty', counted(faults.length))])].join(
          ', ',
        )}
      />
      <div className={`row wrap end gap-8-12 ${classes['submit']}`}>
        {faults.length > 0 && good > 0 ? (
          <Checkbox
            size="xs"
            label={t('bulk.skip')}
            checked={skipFaulty}
            onChange={(event) => setSkipFaulty(event.currentTarget.checked)}
          />
        ) : (
          <span />
        )}
        <Button variant="default" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={add.isPending} disabled={faults.length > 0 && good > 0 && !skipFaulty}>
          {good > 0 ? t('bulk.submit', counted(good)) : t('form.submit')}
        </Button>
      </div>
    </form>
  )
}
