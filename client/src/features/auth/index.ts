export { RegistrationNotice, useRegistrationUndecided } from './registration-notice.tsx'
