export { forgetOldActivity, startActivityMaintenance } from './activity-maintenance.ts'
export { exportActivity } from './export-activity.ts'
