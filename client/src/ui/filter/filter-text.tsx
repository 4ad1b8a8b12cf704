import { TextInput } from '@mantine/core'
import { PopoverButton } from '../overlay/popup-button.tsx'
import { FilterChip } from './filter-chip.tsx'
import { useTypedText } from './use-typed-text.ts'

/**
 * A text filter: a chip like the other filters, which opens an input. The input applies after a short pause; while `faultOf` finds an error, the
 * filter stays unchanged.
 */
export function FilterText({
  label,
  value,
  onChange,
  placeholder,
  description,
  faultOf,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
  description?: string
  faultOf?: (value: string) => string | null
}) {
  const faultIn = (text: string): string | null => (text === '' ? null : (faultOf?.(text) ?? null))
  const [typed, setTyped] = useTypedText(value, onChange, (text) => faultIn(text) === null)
  const fault = faultIn(typed.trim())

  return (
    <FilterChip label={label} choice={value === '' ? null : value} onClear={() => onChange('')}>
      {(chip) => (
        <PopoverButton position="bottom-start" width={260} padding={8} button={<button {...chip} />}>
          {(close) => (
            <TextInput
              data-autofocus
              aria-label={label}
              placeholder={placeholder}
              description={description}
              error={fault}
              value={typed}
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && fault === null) close()
              }}
            />
          )}
        </PopoverButton>
      )}
    </FilterChip>
  )
}
