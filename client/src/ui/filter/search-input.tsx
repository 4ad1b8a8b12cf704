import { CloseButton, Loader, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ClipboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '#client/lib/shortcuts.ts'
import { Kbd } from '../display/kbd.tsx'
import { useTypedText } from './use-typed-text.ts'
import classes from './filter.module.css'

const hasSeveralParts = (text: string) => text.split(/[\n,;\t]/).filter((part) => part.trim() !== '').length > 1

/** The search of a list: `/` focuses it, and the input is reported after a short pause. */
export function SearchInput({
  value,
  onChange,
  label,
  busy = false,
  onPasteMany,
  onType,
}: {
  value: string
  onChange: (value: string) => void
  label: string
  busy?: boolean
  /** Called when several lines are pasted; returning true means that they were handled and the input stays unchanged. */
  onPasteMany?: (text: string) => boolean
  /** Reports every keystroke immediately, for a fully loaded list. */
  onType?: (text: string) => void
}) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTypedText(value, onChange)
  const type = (text: string): void => {
    setTyped(text)
    onType?.(text)
  }

  useShortcuts({ '/': () => input.current?.select() })

  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text')
    if (onPasteMany && hasSeveralParts(text) && onPasteMany(text)) event.preventDefault()
  }

  return (
    <TextInput
      ref={input}
      type="search"
      role="searchbox"
      className={classes['search'] ?? ''}
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={label}
      value={typed}
      spellCheck={false}
      autoComplete="off"
      leftSection={busy ? <Loader size={14} /> : <IconSearch size={15} stroke={1.8} />}
      rightSection={
        typed === '' ? (
          <span className={`flex ${classes['hint']}`}>
            <Kbd>/</Kbd>
          </span>
        ) : (
          <CloseButton size="sm" aria-label={t('filters.clear_search')} onClick={() => type('')} />
        )
      }
      onChange={(event) => type(event.currentTarget.value)}
      onPaste={paste}
      onKeyDown={(event) => {
        // From here the shortcuts of the list work.
        if (event.key === 'Enter') input.current?.blur()
        if (event.key !== 'Escape') return
        if (typed === '') input.current?.blur()
        else type('')
      }}
    />
  )
}
