export { operationKinds } from './kinds/index.ts'
export { pauseOperationsOf } from './pause-operations-of.ts'
export { startOperations } from './run-operations.ts'
