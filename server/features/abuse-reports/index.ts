export { forgetOldReports } from './forget-old-reports.ts'
export { listMitigationsDue, storeAbuseReports, updateMitigations, updatePendingDue } from './store-abuse-reports.repo.ts'
