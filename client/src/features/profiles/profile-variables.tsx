import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { mostVariables, variableKinds, type ProfileVariable } from '#shared/features/profiles/variables.ts'
import { formatNumber } from '#client/lib/format.ts'
import { ValuesField } from './values-field.tsx'
import classes from './profiles.module.css'

/** A variable with the key of its row. */
export interface VariableRow extends ProfileVariable {
  readonly key: string
}

let last = 0
export const variableRow = (variable: ProfileVariable): VariableRow => ({ ...variable, key: `v${(last += 1)}` })
/** Empty rows are not sent. */
export const filledVariables = (rows: readonly VariableRow[]): VariableRow[] =>
  rows.filter(({ name, values }) => name.trim() !== '' || values.length > 0)

/** The variables of a profile with their default values. */
export function ProfileVariables({
  rows,
  errorOf,
  onChange,
}: {
  rows: readonly VariableRow[]
  /** The error of a field, by the key of the row. */
  errorOf: (key: string, field: 'name' | 'values') => string | undefined
  onChange: (rows: readonly VariableRow[]) => void
}) {
  const { t } = useTranslation('profiles')
  const isFull = rows.length >= mostVariables
  const full = isFull ? t('variables.full', { formatted: formatNumber(mostVariables) }) : undefined
  return (
    <div className="column gap-12">
      {rows.map((row, index) => {
        const set = (change: Partial<VariableRow>): void => onChange(rows.with(index, { ...row, ...change }))
        const name = row.name === '' ? t('variables.unnamed') : row.name
        return (
          <div key={row.key} role="group" aria-label={t('variables.row', { name })} className={`grid gap-8 ${classes['variable']}`}>
            <TextInput
              label={t('variables.name')}
              classNames={{ input: 'mono' }}
              autoComplete="off"
              spellCheck={false}
              maxLength={40}
              value={row.name}
              error={errorOf(row.key, 'name')}
              onChange={(event) => set({ name: event.currentTarget.value.trim().toLowerCase() })}
            />
            <NativeSelect
              label={t('variables.kind')}
              value={row.kind}
              data={variableKinds.map((kind) => ({ value: kind, label: t(`variables.kinds.${kind}`) }))}
              onChange={(event) => {
                const kind = variableKinds.find((each) => each === event.currentTarget.value)
                if (kind !== undefined) set({ kind })
              }}
            />
            <ValuesField
              key={row.kind}
              kind={row.kind}
              values={row.values}
              label={t('variables.default')}
              error={errorOf(row.key, 'values')}
              onChange={(values) => set({ values })}
            />
            <ActionIcon
              size={32}
              aria-label={t('variables.delete', { name })}
              title={t('variables.delete', { name })}
              onClick={() => onChange(rows.toSpliced(index, 1))}
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
        disabled={isFull}
        title={full}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange([...rows, variableRow({ name: '', kind: 'countries', values: [] })])}
      >
        {t('variables.add')}
      </Button>
    </div>
  )
}
