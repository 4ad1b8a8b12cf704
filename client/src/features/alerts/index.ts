/** The alert settings for the monitoring settings. */
export { ChannelsSection } from './channels-section.tsx'
export { useTestChannel } from './mutations.ts'
export { WindowsSection } from './windows-section.tsx'
