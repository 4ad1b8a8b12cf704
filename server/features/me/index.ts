export { exportDataTo } from './export-data.ts'
export { findUserByEmail } from './me.repo.ts'
