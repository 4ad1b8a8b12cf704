export { getDefaultProfile, getProfile } from './get-profile.ts'
