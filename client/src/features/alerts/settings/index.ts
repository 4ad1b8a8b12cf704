/** The sections about alerts of the monitoring settings. */
export { ChannelsSection } from './channels-section.tsx'
export { noticeKinds, NoticesSection } from './notices-section.tsx'
export { TelegramSection } from './telegram-section.tsx'
export { WindowsSection } from './windows-section.tsx'
