/** What other features show of settings. Asks for the texts of `security`. */
export { SettingFields } from './setting-fields.tsx'
export { useSettingWords } from './use-setting-words.ts'
