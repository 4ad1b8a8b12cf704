export { RegistrationNotice } from './registration-notice.tsx'
export { useRegistrationUndecided } from './use-registration-undecided.ts'
