export { changesKeptDays, forgetOldChanges } from './forget-old-changes.ts'
export { storeChanges } from './store-changes.repo.ts'
