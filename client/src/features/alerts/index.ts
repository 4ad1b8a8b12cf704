/** The alert components for other features. */
export { MessagesTab } from './messages-tab.tsx'
