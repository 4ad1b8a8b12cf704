import { MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordType, type RecordType } from '#shared/features/domains/records/schema.ts'
import type { BulkFormProps } from './bulk-form.ts'
import { ContentMatch, type Match } from './content-match.tsx'
import classes from './operations.module.css'

/** Replaces one content with another in every record that has it (R-DNS-04). */
export function DnsReplaceForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'validation'])
  const [find, setFind] = useState('')
  const [replace, setReplace] = useState('')
  const [match, setMatch] = useState<Match>('whole')
  const [types, setTypes] = useState<RecordType[]>([])
  const [checked, setChecked] = useState(false)

  const [from, to] = [find.trim(), replace.trim()]
  const submit = (): void => {
    if (from === '' || to === '' || from === to) return setChecked(true)
    onSubmit({ kind: 'dns_replace', input: { find: from, replace: to, match, types } })
  }
  const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'none', classNames: { input: 'mono' } } as const

  return frame(
    <>
      <p className={`size-12 muted ${classes['quiet']}`}>{t('replace.help')}</p>
      <TextInput
        {...plain}
        label={t('replace.find')}
        placeholder="203.0.113.10"
        value={find}
        error={checked && from === '' ? t('validation:required') : undefined}
        required
        onChange={(event) => setFind(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        {...plain}
        label={t('replace.replace')}
        placeholder="203.0.113.20"
        value={replace}
        error={checked ? (to === '' ? t('validation:required') : from === to ? t('replace.same') : undefined) : undefined}
        required
        onChange={(event) => setReplace(event.currentTarget.value)}
      />
      <ContentMatch value={match} onChange={setMatch} partHelp={t('replace.part_help')} />
      <MultiSelect
        label={t('replace.types')}
        placeholder={types.length === 0 ? t('replace.all_types') : ''}
        data={recordType.options}
        value={types}
        onChange={(selected) => setTypes(recordType.options.filter((type) => selected.includes(type)))}
        searchable
        clearable
      />
    </>,
    submit,
  )
}
