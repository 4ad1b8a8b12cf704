export { changeUser } from './change-user.ts'
export { setDisabled } from './disable-user.ts'
export { endAccess } from './end-access.ts'
export { insertUser } from './users.repo.ts'
