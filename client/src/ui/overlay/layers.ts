export { Drawer, Modal } from '@mantine/core'
export { OpenedFilter } from '../filter/opened-filter.tsx'
export { OpenedMenu, OpenedPopover } from './opened-popups.tsx'
