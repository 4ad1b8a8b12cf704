import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { counted } from '#client/lib/format.ts'

const year = 365

/** One of the preset numbers, or the current one if it is not among them. */
export function NumberChoice({
  label,
  help,
  usual,
  value,
  words,
  onChange,
}: {
  label: string
  help?: string
  usual: readonly number[]
  value: number
  words: (value: number) => string
  onChange: (value: number) => void
}) {
  return (
    <NativeSelect
      maw={320}
      label={label}
      description={help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={String(value)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
      data={[...new Set([...usual, value])].toSorted((a, b) => a - b).map((each) => ({ value: String(each), label: words(each) }))}
    />
  )
}

export function useDaysWords(): (days: number) => string {
  const { t } = useTranslation('settings')
  return (days) => (days % year === 0 ? t('years', counted(days / year)) : t('days', counted(days)))
}
