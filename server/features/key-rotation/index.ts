export { rotateKey, RotationRefused } from './rotate-key.ts'
export { warnOfWrongKey } from './warn-of-wrong-key.ts'
