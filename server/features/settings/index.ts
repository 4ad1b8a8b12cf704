export { getPanelSettings } from './panel-settings.ts'
