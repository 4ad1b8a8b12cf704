import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasPriority, isProxiable, recordExamples, ttlPresets } from '#shared/features/domains/records/record-types.ts'
import { firstRow, type RecordRow } from './record-rows.ts'
import { autoTtl, knownType, recordTypes } from './record-draft.ts'
import { useTtlWords } from './use-ttl-words.ts'
import classes from './record-fields.module.css'

const mostRecords = 100

/** The records that many domains get, one per row. */
export function RecordFields({
  rows,
  problemOf,
  onChange,
}: {
  rows: readonly RecordRow[]
  /** The errors of the fields, by the index of the row. */
  problemOf?: (index: number, field: 'name' | 'content' | 'priority') => string | undefined
  onChange: (rows: readonly RecordRow[]) => void
}) {
  const { t } = useTranslation('records')
  /** The row that was added last, which gets the focus. */
  const [added, setAdded] = useState<number | null>(null)
  const set = (key: number, part: Partial<RecordRow>): void => onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const add = (): void => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
    setAdded(key)
    onChange([...rows, { ...firstRow, key }])
  }
  return (
    <div className="column gap-8">
      {rows.length === 0 ? null : (
        <div className="column gap-8">
          {rows.map((row, index) => (
            <Row
              key={row.key}
              row={row}
              index={index}
              begin={row.key === added}
              {...(problemOf && { problemOf })}
              onChange={(part) => set(row.key, part)}
              onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
            />
          ))}
        </div>
      )}
      <Button
        variant="subtle"
        size="xs"
        className="self-start"
        disabled={rows.length >= mostRecords}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={add}
      >
        {t(rows.length === 0 ? 'rows.add_first' : 'rows.add')}
      </Button>
    </div>
  )
}

function Row({
  row,
  index,
  begin,
  problemOf = () => undefined,
  onChange,
  onRemove,
}: {
  row: RecordRow
  index: number
  /** It was just added. */
  begin: boolean
  problemOf?: (index: number, field: 'name' | 'content' | 'priority') => string | undefined
  onChange: (part: Partial<RecordRow>) => void
  onRemove: () => void
}) {
  const { t } = useTranslation('records')
  const ttlWords = useTtlWords()
  const proxied = isProxiable(row.type) && row.proxied
  const example = recordExamples[row.type]
  const ttls = [...new Set([...ttlPresets, row.ttl])].toSorted((a, b) => a - b)
  const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'none', classNames: { input: 'mono' } } as const
  return (
    <div className={`grid gap-8 start ${classes['record']}`} role="group" aria-label={t('rows.row', { number: index + 1 })}>
      <NativeSelect
        aria-label={t('column.type')}
        value={row.type}
        onChange={(event) => onChange({ type: knownType(event.currentTarget.value) ?? row.type })}
        data={recordTypes}
      />
      <TextInput
        {...plain}
        aria-label={t('column.name')}
        placeholder={example.name}
        value={row.name}
        error={problemOf(index, 'name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        {...plain}
        aria-label={t('column.content')}
        placeholder={example.content}
        value={row.content}
        error={problemOf(index, 'content')}
        onChange={(event) => onChange({ content: event.currentTarget.value })}
        data-autofocus={index === 0 || undefined}
        autoFocus={begin}
      />
      {hasPriority(row.type) ? (
        <TextInput
          {...plain}
          aria-label={t('column.priority')}
          title={t('column.priority')}
          inputMode="numeric"
          value={row.priority}
          error={problemOf(index, 'priority')}
          onChange={(event) => onChange({ priority: event.currentTarget.value })}
        />
      ) : isProxiable(row.type) ? (
        <Checkbox
          pt={7}
          size="sm"
          label={t('column.proxied')}
          checked={proxied}
          onChange={(event) => onChange({ proxied: event.currentTarget.checked })}
        />
      ) : (
        <span />
      )}
      <NativeSelect
        aria-label={t('column.ttl')}
        title={t('column.ttl')}
        disabled={proxied}
        value={String(proxied ? autoTtl : row.ttl)}
        data={ttls.map((ttl) => ({ value: String(ttl), label: ttlWords(ttl) }))}
        onChange={(event) => onChange({ ttl: Number(event.currentTarget.value) })}
      />
      <ActionIcon
        size={32}
        aria-label={t('rows.remove', { number: index + 1 })}
        title={t('rows.remove', { number: index + 1 })}
        onClick={onRemove}
      >
        <IconTrash size={15} stroke={1.7} />
      </ActionIcon>
    </div>
  )
}
