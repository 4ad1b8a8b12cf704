export { forgetOldActivity, startActivityMaintenance } from './activity-maintenance.ts'
