export { operationKinds } from './kinds/index.ts'
export { startOperations } from './run-operations.ts'
