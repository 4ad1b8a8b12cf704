export { listMitigationsDue, storeAbuseReports, updateMitigations, updatePendingDue } from './store-abuse-reports.repo.ts'
