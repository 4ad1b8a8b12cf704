import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { recordType, type RecordType } from '#shared/features/domains/records/schema.ts'
import { ContentMatch, type Match } from './content-match.tsx'

/** As entered. */
interface RecordFilterDraft {
  type: RecordType | ''
  name: string
  content: string
  match: Match
}
export const emptyFilter: RecordFilterDraft = { type: '', name: '', content: '', match: 'whole' }

/** Null for an empty form, because that would match every record. */
export function filterOf({ type, name, content, match }: RecordFilterDraft) {
  if (type === '' && name.trim() === '' && content.trim() === '') return null
  return {
    ...(type !== '' && { type }),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(content.trim() !== '' && { content: content.trim(), match }),
  }
}

/** The filter of records. */
export function RecordFilterFields({
  value,
  partHelp,
  onChange,
}: {
  value: RecordFilterDraft
  partHelp: string
  onChange: (value: RecordFilterDraft) => void
}) {
  const { t } = useTranslation('operations')
  const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'none', classNames: { input: 'mono' } } as const
  return (
    <>
      <NativeSelect
        label={t('dns.type')}
        value={value.type}
        onChange={(event) => onChange({ ...value, type: recordType.options.find((each) => each === event.currentTarget.value) ?? '' })}
        data={[{ value: '', label: t('dns.any_type') }, ...recordType.options]}
        data-autofocus
      />
      <TextInput
        {...plain}
        label={t('dns.name')}
        description={t('dns.name_help')}
        value={value.name}
        onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
      />
      <TextInput
        {...plain}
        label={t('dns.content')}
        description={t('dns.content_help')}
        value={value.content}
        onChange={(event) => onChange({ ...value, content: event.currentTarget.value })}
      />
      {value.content.trim() === '' ? null : (
        <ContentMatch value={value.match} onChange={(match) => onChange({ ...value, match })} partHelp={partHelp} />
      )}
    </>
  )
}
