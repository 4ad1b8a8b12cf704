export { addZone } from './add-zone.ts'
