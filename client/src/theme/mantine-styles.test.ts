import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const client = fileURLToPath(new URL('..', import.meta.url))
const styles = fileURLToPath(new URL('../../../node_modules/@mantine/core/styles', import.meta.url))
const read = (path: string): string => readFileSync(`${client}/${path}`, 'utf8')

/** Components that use the styles of others. */
const drawnBy: Record<string, string[]> = {
  TextInput: ['Input'],
  Textarea: ['Input'],
  Select: ['Input', 'Combobox'],
  MultiSelect: ['Input', 'Combobox', 'Pill', 'PillsInput'],
  PasswordInput: ['Input', 'PasswordInput'],
  Modal: ['ModalBase', 'Modal', 'Paper', 'Overlay'],
  Drawer: ['ModalBase', 'Drawer', 'Paper', 'Overlay'],
  Menu: ['Menu', 'Popover'],
  SegmentedControl: ['FloatingIndicator'],
  Anchor: ['Text'],
  Combobox: ['Popover', 'ScrollArea'],
  Checkbox: ['InlineInput'],
}

it('every Mantine component in use has its style sheet', () => {
  const used = new Set(
    globSync('**/*.tsx', { cwd: client })
      .flatMap((path) => [...read(path).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
      .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
      .flatMap((name) => [name, ...(drawnBy[name] ?? [])])
      .filter((name) => existsSync(`${styles}/${name}.css`)),
  )
  const loaded = new Set(
    ['providers.tsx', 'theme/mantine-panel.ts', 'theme/toasts.css'].flatMap((path) =>
      [...read(path).matchAll(/styles\/(\w+)\.layer\.css/g)].map(([, name = '']) => name),
    ),
  )
  expect([...used].filter((name) => !loaded.has(name))).toEqual([])
})
