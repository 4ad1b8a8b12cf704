export { createUserByOperator } from './create-user-by-operator.ts'
export { resetPassword } from './reset-password.ts'
