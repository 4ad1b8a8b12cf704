export { applySettings } from './apply-settings.ts'
export type { AppliedSettings, ApplyOptions } from './apply-settings.ts'
export { patchOf } from './setting-words.ts'
