import {
  ActionIcon,
  Button,
  createTheme,
  type CSSVariablesResolver,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'
import classes from './mantine.module.css'

const iris: MantineColorsTuple = [
  '#eeeeff',
  '#dcdcff',
  '#bdbdfd',
  '#9a9dff',
  '#7f81fa',
  '#6b6bf5',
  '#5b5bf0',
  '#4a47d6',
  '#3f3cb8',
  '#353298',
]

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f5',
  '#e6e9ee',
  '#d3d8e0',
  '#c5ccd6',
  '#99a2b1',
  '#6b7484',
  '#4d5666',
  '#2f3643',
  '#12151c',
]

const dark: MantineColorsTuple = [
  '#e8ebf1',
  '#a7afbd',
  '#828b9b',
  '#5a6272',
  '#2c323e',
  '#1c2029',
  '#161a21',
  '#0b0d12',
  '#08090c',
  '#050608',
]

const components: NonNullable<MantineThemeOverride['components']> = {
  Button: Button.extend({
    defaultProps: { size: 'sm' },
    classNames: { root: classes['button'] ?? '', label: classes['buttonLabel'] ?? '' },
  }),
  ActionIcon: ActionIcon.extend({
    defaultProps: { variant: 'subtle', color: 'gray', size: 28 },
    classNames: { root: classes['actionIcon'] ?? '' },
  }),
  Input: { classNames: { wrapper: classes['inputBox'], input: classes['input'] } },
  InputWrapper: {
    classNames: {
      root: classes['field'],
      label: classes['label'],
      description: classes['help'],
      error: classes['error'],
      required: classes['required'],
    },
    defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
  },
  Modal: {
    defaultProps: {
      radius: 'lg',
      centered: true,
      padding: 20,
      overlayProps: { backgroundOpacity: 1, color: 'var(--backdrop)' },
      transitionProps: { transition: 'pop', duration: 150 },
    },
    classNames: {
      content: classes['modal'],
      header: classes['modalHeader'],
      title: classes['modalTitle'],
      overlay: classes['overlay'],
    },
  },
  // Inside the dialog, not the page: two banner landmarks would confuse screen readers.
  ModalHeader: { defaultProps: { role: 'presentation' } },
  DrawerHeader: { defaultProps: { role: 'presentation' } },
  Drawer: {
    defaultProps: { padding: 16, transitionProps: { duration: 180 } },
    classNames: {
      content: classes['drawer'],
      header: classes['modalHeader'],
      title: classes['modalTitle'],
      overlay: classes['overlay'],
    },
  },
  Popover: {
    defaultProps: { transitionProps: { duration: 120 } },
    classNames: { dropdown: classes['dropdown'] },
  },
  Menu: {
    defaultProps: { transitionProps: { duration: 120 }, offset: 6 },
    classNames: {
      dropdown: classes['dropdown'],
      item: classes['menuItem'],
      label: classes['menuLabel'],
      divider: classes['menuDivider'],
    },
  },
  Combobox: {
    defaultProps: { transitionProps: { duration: 120 }, offset: 4 },
    classNames: { dropdown: classes['dropdown'], option: classes['option'] },
  },
  // A field focused when its dialog opens must not open a list over the dialog.
  Select: { defaultProps: { openOnFocus: false } },
  MultiSelect: { defaultProps: { openOnFocus: false } },
  Checkbox: {
    defaultProps: { size: '16px', radius: 'xs' },
    classNames: { input: classes['checkbox'], label: classes['checkboxLabel'] },
  },
  SegmentedControl: {
    defaultProps: { size: 'xs', transitionDuration: 150 },
    classNames: {
      root: classes['segments'],
      indicator: classes['segmentsIndicator'],
      label: classes['segmentsLabel'],
    },
  },
  Notification: {
    classNames: {
      root: classes['toast'],
      title: classes['toastTitle'],
      description: classes['toastText'],
      icon: classes['toastIcon'],
      closeButton: classes['toastClose'],
    },
  },
}

/** `close` labels the close buttons of dialogs, sheets and toasts for screen readers. */
export const themeFor = (close: string): MantineThemeOverride =>
  createTheme({
    fontFamily: 'var(--sans)',
    fontFamilyMonospace: 'var(--mono)',
    colors: { iris, gray, dark },
    primaryColor: 'iris',
    primaryShade: 6,
    defaultRadius: 'sm',
    cursorType: 'pointer',
    respectReducedMotion: true,
    focusRing: 'never',
    lineHeights: { xs: '1.35', sm: '1.45', md: '1.45', lg: '1.45', xl: '1.4' },
    fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
    spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '32px' },
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '14px' },
    headings: { fontFamily: 'var(--sans)', fontWeight: '600' },
    components: { ...components, CloseButton: { defaultProps: { 'aria-label': close, size: 'sm' } } },
  })

/** Maps Mantine's color names to our tokens. */
export const cssVariables: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--bg)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-bright': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-2)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-default': 'var(--field)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line-field)',
    '--mantine-color-disabled': 'var(--skeleton)',
    '--mantine-color-disabled-color': 'var(--text-3)',
    '--mantine-color-disabled-border': 'var(--line)',
    '--mantine-primary-color-filled': 'var(--accent-fill)',
    '--mantine-primary-color-filled-hover': 'var(--accent-fill-hover)',
    '--mantine-color-iris-filled': 'var(--accent-fill)',
    '--mantine-color-iris-filled-hover': 'var(--accent-fill-hover)',
    '--mantine-color-iris-light': 'var(--accent-soft)',
    '--mantine-color-iris-light-color': 'var(--accent)',
    '--mantine-color-gray-light-color': 'var(--text-2)',
    '--mantine-color-gray-subtle-hover': 'var(--hover)',
    '--mantine-color-gray-light-hover': 'var(--press)',
    '--mantine-color-red-filled': 'var(--bad-fill)',
    '--mantine-color-red-filled-hover': 'var(--bad-fill-hover)',
    '--mantine-color-red-light': 'var(--bad-soft)',
    '--mantine-color-red-light-color': 'var(--bad)',
  }
  return { variables: {}, light: both, dark: both }
}

const themeKey = 'zonedeck.theme'
const grounds = { light: '#ffffff', dark: '#0b0d12' }

function show(scheme: 'light' | 'dark'): void {
  document.documentElement.classList.toggle('dark', scheme === 'dark')
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', grounds[scheme])
}

/** Keeps Mantine's color scheme, `html.dark` and the stored choice in sync (R-LAY-08). */
export const colorScheme: MantineColorSchemeManager = {
  get: () => (document.documentElement.classList.contains('dark') ? 'dark' : 'light'),
  set: (value) => {
    const scheme = value === 'light' ? 'light' : 'dark'
    localStorage.setItem(themeKey, scheme)
    show(scheme)
  },
  subscribe: (onUpdate) => {
    window.addEventListener('storage', ({ key, newValue }) => {
      if (key !== themeKey) return
      const scheme = newValue === 'light' ? 'light' : 'dark'
      show(scheme)
      onUpdate(scheme)
    })
  },
  unsubscribe: () => undefined,
  clear: () => localStorage.removeItem(themeKey),
}
