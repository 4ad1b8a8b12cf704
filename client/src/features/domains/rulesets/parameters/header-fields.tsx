import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { headerOperations } from '#shared/features/domains/rulesets/choices.ts'
import { objectOf, textOf, withField, type Parameters } from '../read-json.ts'
import { ComputedField } from './computed-field.tsx'
import { Labeled, type ParameterFieldsProps } from './labeled.tsx'
import classes from './parameters.module.css'

interface Row {
  readonly key: number
  readonly name: string
  readonly header: Parameters
}

/** Headers by their names, with Cloudflare's operations. */
export function HeaderFields({ value, errorOf, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation('rulesets')
  // Rows, because two of them may have the same or no name while they are edited.
  const [rows, setRows] = useState<readonly Row[]>(() => {
    const given = Object.entries(objectOf(value['headers'])).map(([name, header], key) => ({ key, name, header: objectOf(header) }))
    return given.length > 0 ? given : [{ key: 0, name: '', header: { operation: 'set', value: '' } }]
  })
  const show = (next: readonly Row[]): void => {
    setRows(next)
    onChange(withField(value, 'headers', Object.fromEntries(next.map(({ name, header }) => [name.trim(), header]))))
  }
  const set = (key: number, part: Partial<Row>): void => show(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const isRepeated = ({ key, name }: Row): boolean =>
    name.trim() !== '' && rows.some((other) => other.key < key && other.name.trim().toLowerCase() === name.trim().toLowerCase())
  return (
    <Labeled label={t('form.headers')} error={errorOf('actionParameters.headers')}>
      <div className="column gap-12">
        {rows.map((row, index) => {
          const operation = textOf(row.header['operation']) ?? 'set'
          const path = `actionParameters.headers.${row.name.trim()}`
          return (
            <div
              key={row.key}
              className={`grid gap-8 start ${classes['header']}`}
              role="group"
              aria-label={t('form.header_number', { number: String(index + 1) })}
            >
              <NativeSelect
                label={t('form.operation')}
                value={operation}
                data={headerOperations.map((each) => ({ value: each, label: t(`form.operations.${each}`) }))}
                onChange={(event) => {
                  const next = event.currentTarget.value
                  const { operation: _before, ...rest } = row.header
                  set(row.key, {
                    header:
                      next === 'remove' ? { operation: next } : { operation: next, ...(operation === 'remove' ? { value: '' } : rest) },
                  })
                }}
              />
              <TextInput
                label={t('form.header_name')}
                classNames={{ input: 'mono' }}
                placeholder="X-Example"
                spellCheck={false}
                autoComplete="off"
                value={row.name}
                error={isRepeated(row) ? t('form.header_repeated') : errorOf(path)}
                onChange={(event) => set(row.key, { name: event.currentTarget.value })}
              />
              {operation === 'remove' ? null : (
                <div className={classes['value']}>
                  <span className={`block size-13 medium secondary ${classes['label']}`} aria-hidden>
                    {t('form.header_value')}
                  </span>
                  <ComputedField
                    label={t('form.header_value')}
                    placeholder={t('form.header_value')}
                    name={path}
                    value={row.header}
                    errorOf={errorOf}
                    onChange={(header) => set(row.key, { header: { operation, ...header } })}
                  />
                </div>
              )}
              <ActionIcon
                size={32}
                aria-label={t('form.remove_header', { number: String(index + 1) })}
                disabled={rows.length === 1}
                onClick={() => show(rows.filter(({ key }) => key !== row.key))}
              >
                <IconTrash size={15} stroke={1.7} />
              </ActionIcon>
            </div>
          )
        })}
        <Button
          variant="subtle"
          size="xs"
          className="self-start"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() =>
            show([...rows, { key: Math.max(...rows.map(({ key }) => key)) + 1, name: '', header: { operation: 'set', value: '' } }])
          }
        >
          {t('form.add_header')}
        </Button>
      </div>
    </Labeled>
  )
}
