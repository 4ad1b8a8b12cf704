export { readBackupState } from './backup-state.ts'
export { restoreBackup } from './restore-backup.ts'
export { findNewestBackup, startBackups } from './start-backups.ts'
export { writeBackupOf } from './write-backup.ts'
