/** The settings components for other features. They require the `security` texts. */
export { SettingFields } from './setting-fields.tsx'
export { useSettingWords, type SettingWords } from './use-setting-words.ts'
