export { operationKinds } from './kinds/index.ts'
export { pauseOperationsOf } from './pause-operations-of.ts'
export { startOperations } from './run-operations.ts'
export type { OperationOptions, OperationRunner } from './run-operations.ts'
