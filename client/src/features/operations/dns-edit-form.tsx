import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormError } from '#client/ui/form/form-error.tsx'
import { useTtlWords } from '#client/features/domains/index.ts'
import { isProxiable, ttlPresets } from '#shared/features/domains/records/record-types.ts'
import { usesValue } from '#shared/features/domains/records/template.ts'
import type { BulkFormProps } from './bulk-form.ts'
import { useDomainValues } from './domain-values-field.tsx'
import { emptyFilter, filterOf, RecordFilterFields } from './record-filter-fields.tsx'
import classes from './operations.module.css'

interface Changes {
  content: string
  proxied: '' | 'on' | 'off'
  ttl: string
  comment: string
  clearsComment: boolean
}
const noChanges: Changes = { content: '', proxied: '', ttl: '', comment: '', clearsComment: false }

/** The fields to change, without untouched ones; null if there are none. */
function setOf({ content, proxied, ttl, comment, clearsComment }: Changes) {
  const set = {
    ...(content.trim() !== '' && { content: content.trim() }),
    ...(proxied !== '' && { proxied: proxied === 'on' }),
    ...(ttl !== '' && { ttl: Number(ttl) }),
    ...(clearsComment ? { comment: null } : comment.trim() === '' ? {} : { comment: comment.trim() }),
  }
  return Object.keys(set).length === 0 ? null : set
}

/** Changes proxy, TTL, content or comment of the matching records (R-DNS-04). */
export function DnsEditForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'faults', 'records'])
  const ttlWords = useTtlWords()
  const [filter, setFilter] = useState(emptyFilter)
  const [changes, setChanges] = useState(noChanges)
  const [problem, setProblem] = useState<{ part: 'which' | 'what'; text: string } | null>(null)
  const change = (part: Partial<Changes>): void => {
    setProblem(null)
    setChanges((before) => ({ ...before, ...part }))
  }
  const values = useDomainValues(usesValue(changes.content) || (!changes.clearsComment && usesValue(changes.comment)))

  const submit = (): void => {
    const found = filterOf(filter)
    const set = setOf(changes)
    if (found === null) return setProblem({ part: 'which', text: t('dns.edit_filter_missing') })
    if (set === null) return setProblem({ part: 'what', text: t('faults:edit_empty') })
    if (set.content !== undefined && filter.type === '') return setProblem({ part: 'which', text: t('faults:edit_content_type') })
    const read = values.read()
    if (read !== null) onSubmit({ kind: 'dns_edit', input: { ...found, set, values: read } })
  }
  const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'none' } as const
  const keep = { value: '', label: t('bulk.keep') }

  return frame(
    <>
      <fieldset className={`column gap-12 ${classes['part']}`}>
        <legend className="semibold primary">{t('dns.edit_which')}</legend>
        {problem?.part === 'which' ? <FormError text={problem.text} /> : null}
        <RecordFilterFields
          value={filter}
          partHelp={t('dns.edit_part_help')}
          onChange={(next) => {
            setProblem(null)
            setFilter(next)
          }}
        />
      </fieldset>
      <fieldset className={`column gap-12 ${classes['part']}`}>
        <legend className="semibold primary">{t('dns.edit_what')}</legend>
        {problem?.part === 'what' ? <FormError text={problem.text} /> : null}
        <NativeSelect
          label={t('records:column.proxied')}
          disabled={filter.type !== '' && !isProxiable(filter.type)}
          value={changes.proxied}
          onChange={({ currentTarget: { value } }) => change({ proxied: value === 'on' || value === 'off' ? value : '' })}
          data={[keep, { value: 'on', label: t('records:proxied') }, { value: 'off', label: t('records:dns_only') }]}
        />
        <NativeSelect
          label={t('records:column.ttl')}
          description={t('dns.edit_ttl_help')}
          value={changes.ttl}
          onChange={(event) => change({ ttl: event.currentTarget.value })}
          data={[keep, ...ttlPresets.map((ttl) => ({ value: String(ttl), label: ttlWords(ttl, true) }))]}
        />
        <TextInput
          {...plain}
          classNames={{ input: 'mono' }}
          label={t('dns.edit_content')}
          description={t('dns.template_help', { domain: '{{domain}}', value: '{{value}}' })}
          placeholder={t('bulk.keep')}
          value={changes.content}
          onChange={(event) => change({ content: event.currentTarget.value })}
        />
        <TextInput
          label={t('dns.edit_comment')}
          placeholder={t('bulk.keep')}
          disabled={changes.clearsComment}
          value={changes.comment}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => change({ comment: event.currentTarget.value })}
        />
        <Checkbox
          label={t('dns.edit_clear_comment')}
          checked={changes.clearsComment}
          onChange={(event) => change({ clearsComment: event.currentTarget.checked })}
        />
        {values.field}
      </fieldset>
    </>,
    submit,
  )
}
