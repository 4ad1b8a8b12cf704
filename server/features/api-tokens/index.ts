export { findTokenActor, isApiToken } from './find-token-actor.ts'
export { revokeTokensOf } from './revoke-tokens.ts'
