import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordType } from '#shared/features/records/schema.ts'
import type { BulkFormProps } from './bulk-dialog.tsx'
import { ContentMatch, type Match } from './content-match.tsx'
import forms from '#client/ui/form.module.css'
import classes from './operations.module.css'

/** Records by what they have in common; never all of them. */
export function DnsDeleteForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'faults'])
  const [type, setType] = useState('')
  const [name, setName] = useState('')
  const [content, setContent] = useState('')
  const [match, setMatch] = useState<Match>('whole')
  const [told, setTold] = useState(false)

  const submit = (): void => {
    const known = recordType.options.find((each) => each === type)
    if (known === undefined && name.trim() === '' && content.trim() === '') return setTold(true)
    onSubmit({
      kind: 'dns_delete',
      input: {
        ...(known && { type: known }),
        ...(name.trim() !== '' && { name: name.trim() }),
        ...(content.trim() !== '' && { content: content.trim(), match }),
      },
    })
  }
  const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'none', classNames: { input: 'mono' } } as const

  return frame(
    <>
      <p className={classes['quiet']}>{t('dns.delete_help')}</p>
      <NativeSelect
        label={t('dns.type')}
        value={type}
        onChange={(event) => {
          setTold(false)
          setType(event.currentTarget.value)
        }}
        data={[{ value: '', label: t('dns.any_type') }, ...recordType.options]}
        data-autofocus
      />
      <TextInput
        {...plain}
        label={t('dns.name')}
        description={t('dns.name_help')}
        value={name}
        onChange={(event) => {
          setTold(false)
          setName(event.currentTarget.value)
        }}
      />
      <TextInput
        {...plain}
        label={t('dns.content')}
        value={content}
        onChange={(event) => {
          setTold(false)
          setContent(event.currentTarget.value)
        }}
      />
      {content.trim() === '' ? null : <ContentMatch value={match} onChange={setMatch} partHelp={t('dns.part_help')} />}
      {told ? (
        <p role="alert" className={forms['refusal']}>
          {t('faults:select_filter')}
        </p>
      ) : null}
    </>,
    submit,
  )
}
