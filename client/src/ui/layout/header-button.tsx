import { ActionIcon, Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { usePhone } from './use-media.ts'

/** Beside a page's title; on a phone only an icon, so that the list starts higher. */
export function HeaderButton({
  icon: Symbol,
  words,
  hint,
  loading = false,
  main = false,
  renderRoot,
  onClick,
}: {
  icon: Icon
  words: string
  hint?: string
  loading?: boolean
  /** The primary action of the page. */
  main?: boolean
  /** A link instead. */
  renderRoot?: (props: Record<string, unknown>) => ReactNode
  onClick?: () => void
}) {
  const phone = usePhone()
  const shared = {
    ...(main ? { variant: 'filled', color: 'iris' } : { variant: 'default' }),
    loading,
    ...(renderRoot && { renderRoot }),
    ...(onClick && { onClick }),
  }
  return phone ? (
    <ActionIcon {...shared} size={32} aria-label={words} title={hint ?? words}>
      <Symbol size={16} stroke={1.8} aria-hidden />
    </ActionIcon>
  ) : (
    <Button {...shared} {...(hint && { title: hint })} leftSection={<Symbol size={15} stroke={1.8} aria-hidden />}>
      {words}
    </Button>
  )
}
