export { findTokenActor, isApiToken } from './find-token-actor.ts'
