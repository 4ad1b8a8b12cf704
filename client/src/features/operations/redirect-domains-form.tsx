import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RedirectIssue } from '#shared/features/redirects/issues.ts'
import type { BulkFormProps } from './bulk-form.ts'

const statuses = [301, 302, 307, 308] as const
const options = ['keepPath', 'keepQuery', 'includeSubdomains', 'createRecords'] as const

/** Sends whole domains to one URL. */
export function RedirectDomainsForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'faults'])
  const [url, setUrl] = useState('')
  const [status, setStatus] = useState<(typeof statuses)[number]>(301)
  const [on, setOn] = useState({ keepPath: true, keepQuery: true, includeSubdomains: true, createRecords: true })
  const [issue, setIssue] = useState<RedirectIssue | null>(null)

  const submit = async (): Promise<void> => {
    const { parseTarget } = await import('#shared/features/redirects/redirect-url.ts')
    const parsed = parseTarget(url)
    const found = 'issue' in parsed ? parsed.issue : on.keepQuery && parsed.hasQuery ? 'target_query' : null
    setIssue(found)
    if (found === null) onSubmit({ kind: 'redirects', input: { url, status, ...on } })
  }

  return frame(
    <>
      <TextInput
        label={t('redirect.url')}
        description={t('redirect.url_help')}
        placeholder="https://www.example.com"
        value={url}
        onChange={(event) => {
          setIssue(null)
          setUrl(event.currentTarget.value.trim())
        }}
        error={issue === null ? undefined : t(`faults:${issue}`)}
        required
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <NativeSelect
        label={t('redirect.status')}
        value={String(status)}
        data={statuses.map((each) => ({ value: String(each), label: t(`redirect.statuses.${each}`) }))}
        onChange={({ currentTarget: { value } }) => setStatus(statuses.find((each) => String(each) === value) ?? 301)}
      />
      {options.map((option) => (
        <Checkbox
          key={option}
          label={t(`redirect.${option}`)}
          {...(option === 'createRecords' && { description: t('redirect.records_help') })}
          checked={on[option]}
          onChange={({ currentTarget: { checked } }) => setOn((before) => ({ ...before, [option]: checked }))}
        />
      ))}
    </>,
    () => void submit(),
  )
}
