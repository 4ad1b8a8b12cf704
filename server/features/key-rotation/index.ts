export { rotateKey, RotationRefused } from './rotate-key.ts'
