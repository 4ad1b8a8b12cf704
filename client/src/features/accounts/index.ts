export { findUnreachable, Unreachable } from './unreachable.tsx'
