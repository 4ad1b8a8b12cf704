import type { ComponentProps, ReactNode } from 'react'

export interface FilterOption<V extends string = string> {
  value: V
  label: string
  icon?: ReactNode
  /** Shown in place of the label, which is then for searching and screen readers. */
  content?: ReactNode
  /** The number of matching rows. */
  count?: number | undefined
}

export interface FilterSelectProps<V extends string = string> {
  label: string
  options: readonly FilterOption<V>[]
  values: readonly V[]
  onChange: (values: V[]) => void
  multiple?: boolean
  /** The caller filters the options (on the server); without it they are filtered here. */
  onSearch?: (text: string) => void
  loading?: boolean
}

/** What the dropdown gets in addition: the props of its button. */
export type OpenedFilterProps = FilterSelectProps & { chip: ComponentProps<'button'> }
