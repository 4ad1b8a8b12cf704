import { useEffect, useMemo, useRef, useState } from 'react'
import { failureWords, fieldErrors, issueText } from '#client/lib/errors.ts'
import type { Conflict } from './record-conflict.tsx'
import { inputOf, type RecordDraft } from './record-draft.ts'

type Rules = Pick<typeof import('#shared/features/domains/records/rules.ts'), 'checkRecord'>
type Field = keyof RecordDraft

/** They include the validation of every type, so they load with the editor and not with the page. */
let rulesNow: Rules | null = null
const loadRules = async (): Promise<Rules> => (rulesNow ??= await import('#shared/features/domains/records/rules.ts'))

export interface RecordFormOptions {
  /** In Punycode: the suffix of names in the zone. */
  zoneName: string
  initial: RecordDraft
  /** The field with the initial focus. */
  focus: Field
  /** The error, prefixed with the failed action. */
  failure: string
  /** The concurrent change reported by a failed save. */
  conflictOf: (error: unknown) => Conflict | null
  /** `over`: the known concurrent version to be overwritten. */
  onSave: (draft: RecordDraft, over: Conflict | null) => Promise<void>
  onTakeTheirs: (conflict: Conflict) => void
  onClose: () => void
  /** Saving keeps the form open for the next record. */
  again: boolean
}

export type RecordForm = ReturnType<typeof useRecordForm>

/** The form of a record: its fields, their errors, and a concurrent change of the record. */
export function useRecordForm(props: RecordFormOptions) {
  const { zoneName, initial } = props
  const element = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initial)
  const [rules, setRules] = useState(rulesNow)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [serverErrors, setServerErrors] = useState<Readonly<Record<string, string>>>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [isAsked, setIsAsked] = useState(false)
  const [saving, setSaving] = useState(false)

  useEffect(() => {
    if (rules === null) void loadRules().then(setRules)
  }, [rules])
  // Selected, so that typing replaces the old value.
  const focusOn = (field: string): void => {
    const input = element.current?.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${field}"]`)
    input?.focus()
    if (input instanceof HTMLInputElement) input.select()
  }
  const firstField = useRef(props.focus)
  useEffect(() => focusOn(firstField.current), [])

  const found = useMemo(() => rules?.checkRecord(inputOf(draft), zoneName).problems ?? [], [rules, draft, zoneName])
  const errorOf = (field: Field): string | undefined => {
    if (serverErrors[field] !== undefined) return serverErrors[field]
    const problem = touched.has(field) ? found.find((each) => each.field === field) : undefined
    return problem && issueText({ path: field, message: problem.code, ...(problem.params && { params: problem.params }) })
  }

  const set = (part: Partial<RecordDraft>): void => {
    setDraft((before) => ({ ...before, ...part }))
    setTouched((before) => new Set([...before, ...Object.keys(part)]))
    setServerErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !Object.hasOwn(part, field))))
    setRefusal(null)
  }

  const save = async (over: Conflict | null = null): Promise<void> => {
    if (saving) return
    setSaving(true)
    try {
      const { checkRecord } = await loadRules()
      const [problem] = checkRecord(inputOf(draft), zoneName).problems
      if (problem !== undefined) {
        setTouched(new Set(Object.keys(draft)))
        focusOn(problem.field)
        return
      }
      setRefusal(null)
      await props.onSave(draft, over)
      setConflict(null)
      setIsAsked(false)
      if (!props.again) return
      setTouched(new Set())
      focusOn('name')
    } catch (error) {
      const found = props.conflictOf(error)
      if (found !== null) {
        setConflict(found)
        return setIsAsked(true)
      }
      // The server names a field by its position in the input.
      const fields = Object.entries(fieldErrors(error)).map(([path, words]) => [path.split('.').at(-1) ?? path, words] as const)
      const known = Object.fromEntries(fields.filter(([field]) => Object.hasOwn(draft, field)))
      setServerErrors(known)
      if (Object.keys(known).length === 0) setRefusal(failureWords(props.failure, error))
    } finally {
      setSaving(false)
    }
  }

  // After a conflict was shown, cancelling shows the other version in the list.
  const leave = (): void => {
    if (conflict === null) props.onClose()
    else props.onTakeTheirs(conflict)
  }
  return {
    element,
    draft,
    set,
    errorOf,
    save,
    saving,
    refusal,
    /** Null: there is none, or it was dismissed. */
    conflict: isAsked ? conflict : null,
    putConflictAside: (): void => {
      setIsAsked(false)
      focusOn('content')
    },
    leave,
  }
}
