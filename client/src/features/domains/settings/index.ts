/** What other features show of settings. Asks for the texts of `security`. */
export { SettingFields } from './setting-fields.tsx'
export { useSettingWords, type SettingWords } from './use-setting-words.ts'
