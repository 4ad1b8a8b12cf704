import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type ClipboardEvent, type KeyboardEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { hasPriority, isProxiable, recordExamples, ttlPresets } from '#shared/features/domains/records/record-types.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { Switch } from '#client/ui/form/switch.tsx'
import { RecordConflict } from './record-conflict.tsx'
import { autoTtl, knownType, recordTypes } from './record-draft.ts'
import { useTtlWords } from './use-ttl-words.ts'
import { useRecordForm, type RecordForm, type RecordFormOptions } from './use-record-form.ts'
import classes from './record-editor.module.css'

interface RecordEditorProps extends RecordFormOptions {
  /** The display name of the zone. */
  zoneTitle: string
  /** For screen readers. */
  label: string
  saveLabel: string
  /** A known obstacle, shown before anything is sent. */
  warning: string | null
  /** Addresses whose exposure causes a warning. */
  hidden: ReadonlySet<string> | undefined
  /** Called when lines of a zone file are pasted. Returns true if they were handled. */
  onPasteMany?: (text: string) => boolean
}

/**
 * The fields of one record, validated by type on every keystroke. Enter saves, Escape cancels. Errors of the server or the provider are shown
 * here, beside the input.
 */
export function RecordEditor(props: RecordEditorProps) {
  const { t } = useTranslation(['records', 'common'])
  const { element, ...form } = useRecordForm(props)
  const { draft, conflict } = form
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      // The first Escape closes the question and keeps the input; saving asks again.
      if (conflict === null) form.leave()
      else form.putConflictAside()
    } else if (event.key === 'Enter' && event.target instanceof HTMLSelectElement) {
      event.preventDefault()
      void form.save()
    }
  }
  const onPaste = (event: ClipboardEvent): void => {
    if (props.onPasteMany?.(event.clipboardData.getData('text')) === true) event.preventDefault()
  }
  return (
    <form
      ref={element}
      className={`flex wrap gap-10 top on-raised ${classes['editor']}`}
      aria-label={props.label}
      noValidate
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onSubmit={(event) => handleSubmit(event, form.save)}
    >
      <Fields form={form} zoneName={props.zoneName} zoneTitle={props.zoneTitle} />
      <div className={`flex gap-8 fixed push ${classes['actions']}`}>
        <Button variant="default" onClick={form.leave}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={form.saving}>
          {props.saveLabel}
        </Button>
      </div>
      {form.refusal === null ? null : (
        <p className={classes['refusal']} role="alert">
          {form.refusal}
        </p>
      )}
      {props.warning === null ? null : (
        <p className={classes['warning']} role="status">
          {props.warning}
        </p>
      )}
      {isProxiable(draft.type) && !draft.proxied && props.hidden?.has(draft.content.trim()) ? (
        <p className={classes['warning']} role="status">
          {t('exposes.text')}
        </p>
      ) : null}
      {conflict === null ? null : (
        <RecordConflict
          before={props.initial}
          conflict={conflict}
          zoneName={props.zoneName}
          saving={form.saving}
          onTakeTheirs={() => props.onTakeTheirs(conflict)}
          onSaveMine={() => void form.save(conflict)}
        />
      )}
    </form>
  )
}

function Fields({
  form: { draft, set, errorOf },
  zoneName,
  zoneTitle,
}: {
  form: Omit<RecordForm, 'element'>
  zoneName: string
  zoneTitle: string
}) {
  const { t } = useTranslation('records')
  const ttlWords = useTtlWords()
  const proxyId = useId()
  const proxiable = isProxiable(draft.type)
  const proxied = proxiable && draft.proxied
  const example = recordExamples[draft.type]
  const ttls = [...new Set([...ttlPresets, draft.ttl])].toSorted((a, b) => a - b)
  const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off' } as const
  const whole = draft.name === '@' || draft.name.trim() === '' ? null : draft.name.endsWith(zoneName) || draft.name.endsWith('.')
  return (
    <>
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
    </>
  )
}
