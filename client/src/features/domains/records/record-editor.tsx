import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasPriority, isProxiable, recordExamples, ttlPresets } from '#shared/features/domains/records/record-types.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { failureOf, fieldErrors, issueText, messageOf, providerWords } from '#client/lib/errors.ts'
import { sentences } from '#client/lib/text.ts'
import { Switch } from '#client/ui/switch.tsx'
import { RecordConflict, type Conflict } from './record-conflict.tsx'
import { inputOf, type RecordDraft } from './record-draft.ts'
import { autoTtl, knownType, recordTypes } from './record-types.ts'
import { useTtlWords } from './use-ttl-words.ts'
import classes from './record-editor.module.css'

type Rules = Pick<typeof import('#shared/features/domains/records/rules.ts'), 'checkRecord'>
type Field = keyof RecordDraft

/** They bring the checks of every type with them, so they come with the editor and not with the page. */
let rulesNow: Rules | null = null
const loadRules = async (): Promise<Rules> => (rulesNow ??= await import('#shared/features/domains/records/rules.ts'))

interface RecordEditorProps {
  /** In Punycode: what names below it end in. */
  zoneName: string
  /** The zone as a person reads it. */
  zoneTitle: string
  initial: RecordDraft
  /** The field that the cursor begins in. */
  focus?: Field
  /** For screen readers. */
  label: string
  saveLabel: string
  /** What went wrong, in the words of what was tried. */
  failure: string
  /** What is known to be in the way before anything is tried. */
  warning: string | null
  /** Addresses that are warned of where a record would show them. */
  hidden: ReadonlySet<string> | undefined
  /** What a failed saving tells of somebody else's change. */
  conflictOf: (error: unknown) => Conflict | null
  /** `over`: somebody else's version, known and to be overwritten. */
  onSave: (draft: RecordDraft, over: Conflict | null) => Promise<void>
  onTakeTheirs: (conflict: Conflict) => void
  onClose: () => void
  /** Lines of a zone file were pasted. True: they were taken. */
  onPasteMany?: (text: string) => boolean
  /** Saving leaves it open, for the next one. */
  again?: boolean
}

/**
 * One record as fields, checked by its type at every key. Enter saves, Escape leaves. What the server or the provider refuses is
 * told here, beside what was typed.
 */
export function RecordEditor(props: RecordEditorProps) {
  const { zoneName, zoneTitle, initial, label, again = false } = props
  const { t } = useTranslation(['records', 'common'])
  const ttlWords = useTtlWords()
  const form = useRef<HTMLFormElement>(null)
  const proxyId = useId()
  const [draft, setDraft] = useState(initial)
  const [rules, setRules] = useState(rulesNow)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [told, setTold] = useState<Readonly<Record<string, string>>>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [asked, setAsked] = useState(false)
  const [saving, setSaving] = useState(false)

  useEffect(() => {
    if (rules === null) void loadRules().then(setRules)
  }, [rules])
  // Marked, so that typing writes a new value over the old one.
  const focusOn = (field: string): void => {
    const element = form.current?.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${field}"]`)
    element?.focus()
    if (element instanceof HTMLInputElement) element.select()
  }
  const begin = useRef(props.focus ?? 'content')
  useEffect(() => focusOn(begin.current), [])

  const found = useMemo(() => rules?.checkRecord(inputOf(draft), zoneName).problems ?? [], [rules, draft, zoneName])
  const errorOf = (field: Field): string | undefined => {
    if (told[field] !== undefined) return told[field]
    const problem = touched.has(field) ? found.find((each) => each.field === field) : undefined
    return problem && issueText({ path: field, message: problem.code, ...(problem.params && { params: problem.params }) })
  }

  const set = (part: Partial<RecordDraft>): void => {
    setDraft((before) => ({ ...before, ...part }))
    setTouched((before) => new Set([...before, ...Object.keys(part)]))
    setTold((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !Object.hasOwn(part, field))))
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
      setAsked(false)
      if (!again) return
      setTouched(new Set())
      focusOn('name')
    } catch (error) {
      const found = props.conflictOf(error)
      if (found !== null) {
        setConflict(found)
        return setAsked(true)
      }
      // The server names a field by its place in the call.
      const fields = Object.entries(fieldErrors(error)).map(([path, words]) => [path.split('.').at(-1) ?? path, words] as const)
      const known = Object.fromEntries(fields.filter(([field]) => Object.hasOwn(draft, field)))
      setTold(known)
      if (Object.keys(known).length === 0 && failureOf(error).kind !== 'cancelled') {
        setRefusal(sentences(props.failure, messageOf(error), providerWords(error)))
      }
    } finally {
      setSaving(false)
    }
  }

  // Who has been told of somebody else's version and leaves sees it in the list.
  const leave = (): void => {
    if (conflict === null) props.onClose()
    else props.onTakeTheirs(conflict)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      // First the question goes, and what was typed stays; saving asks it again.
      if (asked) {
        setAsked(false)
        focusOn('content')
      } else leave()
    } else if (event.key === 'Enter' && event.target instanceof HTMLSelectElement) {
      event.preventDefault()
      void save()
    }
  }
  const onPaste = (event: ClipboardEvent): void => {
    if (props.onPasteMany?.(event.clipboardData.getData('text')) === true) event.preventDefault()
  }

  const proxiable = isProxiable(draft.type)
  const proxied = proxiable && draft.proxied
  const example = recordExamples[draft.type]
  const ttls = [...new Set([...ttlPresets, draft.ttl])].toSorted((a, b) => a - b)
  const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off' } as const
  const whole = draft.name === '@' || draft.name.trim() === '' ? null : draft.name.endsWith(zoneName) || draft.name.endsWith('.')
  return (
    <form
      ref={form}
      className={`flex wrap gap-10 top on-raised ${classes['editor']}`}
      aria-label={label}
      noValidate
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onSubmit={(event) => handleSubmit(event, save)}
    >
      <NativeSelect
        name="type"
        label={t('column.type')}
        className={classes['type'] ?? ''}
        value={draft.type}
        data={recordTypes}
        onChange={(event) => set({ type: knownType(event.currentTarget.value) ?? draft.type })}
      />
      <TextInput
        {...plain}
        name="name"
        label={t('column.name')}
        className={classes['name'] ?? ''}
        classNames={{ input: classes['mono'] ?? '' }}
        value={draft.name}
        placeholder={example.name}
        error={errorOf('name')}
        description={whole === true ? undefined : draft.name === '@' ? zoneTitle : `.${zoneTitle}`}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {hasPriority(draft.type) ? (
        <TextInput
          {...plain}
          name="priority"
          label={t('column.priority')}
          flex="0 0 88px"
          value={draft.priority}
          inputMode="numeric"
          placeholder="10"
          error={errorOf('priority')}
          onChange={(event) => set({ priority: event.currentTarget.value })}
        />
      ) : null}
      <TextInput
        {...plain}
        name="content"
        label={t('column.content')}
        className={classes['content'] ?? ''}
        classNames={{ input: classes['mono'] ?? '' }}
        value={draft.content}
        placeholder={example.content}
        description={example.parts}
        error={errorOf('content')}
        onChange={(event) => set({ content: event.currentTarget.value })}
      />
      <NativeSelect
        name="ttl"
        label={t('column.ttl')}
        className={classes['ttl'] ?? ''}
        disabled={proxied}
        value={String(proxied ? autoTtl : draft.ttl)}
        data={ttls.map((ttl) => ({ value: String(ttl), label: ttlWords(ttl, true) }))}
        error={errorOf('ttl')}
        onChange={(event) => set({ ttl: Number(event.currentTarget.value) })}
      />
      {proxiable ? (
        <div className={`column gap-12 fixed size-13 medium secondary ${classes['proxy']}`}>
          <span id={proxyId}>{t('column.proxied')}</span>
          <Switch on={draft.proxied} labelledBy={proxyId} onChange={(on) => set({ proxied: on })} />
        </div>
      ) : null}
      <span className={classes['break']} />
      <TextInput
        name="comment"
        label={t('column.comment')}
        className={classes['comment'] ?? ''}
        value={draft.comment}
        placeholder={t('editor.comment_example')}
        autoComplete="off"
        error={errorOf('comment')}
        onChange={(event) => set({ comment: event.currentTarget.value })}
      />
      <div className={`flex gap-8 fixed push ${classes['actions']}`}>
        <Button variant="default" onClick={leave}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={saving}>
          {props.saveLabel}
        </Button>
      </div>
      {refusal === null ? null : (
        <p className={classes['refusal']} role="alert">
          {refusal}
        </p>
      )}
      {props.warning === null ? null : (
        <p className={classes['warning']} role="status">
          {props.warning}
        </p>
      )}
      {proxiable && !draft.proxied && props.hidden?.has(draft.content.trim()) ? (
        <p className={classes['warning']} role="status">
          {t('exposes.text')}
        </p>
      ) : null}
      {conflict === null || !asked ? null : (
        <RecordConflict
          before={initial}
          conflict={conflict}
          zoneName={zoneName}
          saving={saving}
          onTakeTheirs={() => props.onTakeTheirs(conflict)}
          onSaveMine={() => void save(conflict)}
        />
      )}
    </form>
  )
}
