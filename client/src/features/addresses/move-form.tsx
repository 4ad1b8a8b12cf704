import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OriginAddress } from '#shared/features/addresses/schema.ts'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { failureOf, fieldErrors, issueText, messageOf, providerWords } from '#client/lib/errors.ts'
import { counted } from '#client/lib/format.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'

const examples = { A: '203.0.113.20', AAAA: '2001:db8::20', CNAME: 'new.example.com' } as const satisfies Record<
  OriginAddress['type'],
  string
>

/** Moves everything to a new address after a preview. */
export function MoveForm({
  origin: { address, type, domains },
  ownerId,
  onPreview,
  onBack,
}: {
  origin: OriginAddress
  ownerId: string | undefined
  onPreview: (move: { to: string; preview: OperationPreview }) => void
  onBack: () => void
}) {
  const { t } = useTranslation('addresses')
  const [given, setGiven] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const planning = trpc.operations.preview.useMutation({ meta: { failure: false }, trpc: { context: { unbatched: true } } })

  const submit = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setRefusal(null)
    try {
      const { parseContent } = await import('#shared/features/domains/records/record-content.ts')
      // Also for a CNAME: across many domains `@` would mean a different name in each.
      const read = given.trim() === '@' ? { fault: { code: 'record_host' } } : parseContent(type, given.trim(), '')
      if (given.trim() === '') return setProblem(issueText({ path: 'replace', message: 'required' }))
      if ('fault' in read) return setProblem(issueText({ path: 'replace', message: read.fault.code }))
      const to = read.value.content
      if (to === address) return setProblem(t('move.same'))
      const request: Inputs['operations']['preview']['request'] = {
        kind: 'dns_replace',
        input: { find: address, replace: to, match: 'whole', types: [type] },
      }
      onPreview({ to, preview: await planning.mutateAsync({ request, target: { address, ...(ownerId && { ownerId }) } }) })
    } catch (error) {
      if (failureOf(error).kind !== 'cancelled') {
        setRefusal([messageOf(error), ...new Set(Object.values(fieldErrors(error))), providerWords(error)].filter(Boolean).join(' '))
      }
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="column gap-14" noValidate onSubmit={(event) => handleSubmit(event, submit)}>
      <p className="size-13 secondary">{t('move.help', counted(domains))}</p>
      <TextInput
        label={t(type === 'CNAME' ? 'move.name' : 'move.address')}
        placeholder={examples[type]}
        value={given}
        error={problem}
        onChange={(event) => {
          setProblem(null)
          setGiven(event.currentTarget.value)
        }}
        classNames={{ input: 'mono' }}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        ref={focusAtFirst}
        data-autofocus
      />
      <FormEnd refusal={refusal} action={t('move.preview')} cancel={t('move.back')} busy={busy} stays onCancel={onBack} />
    </form>
  )
}

/** The dialog is already open and has set its initial focus, so the field takes it here. */
const focusAtFirst = (input: HTMLInputElement | null): void => input?.focus()
