export { changeUser } from './change-user.ts'
