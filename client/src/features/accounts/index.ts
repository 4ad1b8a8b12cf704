export { FeedNotices, type FeedTexts } from './feed-notices.tsx'
export { findUnreachable, Unreachable } from './unreachable.tsx'
