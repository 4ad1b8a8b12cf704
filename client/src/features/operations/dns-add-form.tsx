import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasPriority, isProxiable, recordExamples } from '#shared/features/records/record-types.ts'
import { recordType, type RecordInput, type RecordType } from '#shared/features/records/schema.ts'
import type { BulkFormProps } from './bulk-dialog.tsx'
import classes from './operations.module.css'

interface Draft {
  key: number
  type: RecordType
  name: string
  content: string
  priority: string
  proxied: boolean
}
const mostRecords = 100
const first: Draft = { key: 0, type: 'A', name: '@', content: '', priority: '10', proxied: true }

/** The same records for every domain. */
export function DnsAddForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const [drafts, setDrafts] = useState<readonly Draft[]>([first])
  const [told, setTold] = useState<string | null>(null)
  const set = (key: number, part: Partial<Draft>): void => {
    setTold(null)
    setDrafts((before) => before.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)))
  }

  const submit = (): void => {
    const filled = drafts.filter(({ content }) => content.trim() !== '')
    if (filled.length === 0) return setTold(t('bulk.select_record'))
    if (filled.some(({ type, priority }) => hasPriority(type) && !(/^\d{1,5}$/.test(priority.trim()) && Number(priority) <= 65_535))) {
      return setTold(t('dns.number'))
    }
    const records = filled.map(({ type, name, content, priority, proxied }): RecordInput => ({
      type,
      name: name.trim() === '' ? '@' : name.trim(),
      content: content.trim(),
      proxied: isProxiable(type) && proxied,
      ...(hasPriority(type) && { priority: Number(priority) }),
    }))
    onSubmit({ kind: 'dns_add', input: { records } })
  }
  const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'none', classNames: { input: 'mono' } } as const

  return frame(
    <>
      <p className={classes['quiet']}>{t('dns.add_help')}</p>
      <ul className={classes['records']}>
        {drafts.map((draft, index) => (
          <li key={draft.key} className={classes['record']} role="group" aria-label={t('dns.row', { number: index + 1 })}>
            <NativeSelect
              aria-label={t('dns.type')}
              value={draft.type}
              onChange={(event) => set(draft.key, { type: recordType.catch('A').parse(event.currentTarget.value) })}
              data={recordType.options}
            />
            <TextInput
              {...plain}
              aria-label={t('dns.name')}
              placeholder={recordExamples[draft.type].name}
              value={draft.name}
              onChange={(event) => set(draft.key, { name: event.currentTarget.value })}
            />
            <TextInput
              {...plain}
              aria-label={t('dns.content')}
              placeholder={recordExamples[draft.type].content}
              value={draft.content}
              onChange={(event) => set(draft.key, { content: event.currentTarget.value })}
              data-autofocus={index === 0 || undefined}
            />
            {hasPriority(draft.type) ? (
              <TextInput
                {...plain}
                aria-label={t('dns.priority')}
                title={t('dns.priority')}
                inputMode="numeric"
                value={draft.priority}
                onChange={(event) => set(draft.key, { priority: event.currentTarget.value })}
              />
            ) : (
              <Checkbox
                label={t('dns.proxied')}
                checked={isProxiable(draft.type) && draft.proxied}
                disabled={!isProxiable(draft.type)}
                onChange={(event) => set(draft.key, { proxied: event.currentTarget.checked })}
              />
            )}
            <ActionIcon
              aria-label={t('dns.remove_row')}
              title={t('dns.remove_row')}
              disabled={drafts.length === 1}
              onClick={() => setDrafts((before) => before.filter(({ key }) => key !== draft.key))}
            >
              <IconTrash size={15} stroke={1.7} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div>
        <Button
          variant="subtle"
          size="xs"
          disabled={drafts.length >= mostRecords}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setDrafts((before) => [...before, { ...first, key: Math.max(...before.map(({ key }) => key)) + 1 }])}
        >
          {t('dns.add_row')}
        </Button>
      </div>
      {told === null ? null : (
        <p role="alert" className={classes['refusal']}>
          {told}
        </p>
      )}
    </>,
    submit,
  )
}
