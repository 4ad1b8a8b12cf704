export { rotateKey } from './rotate-key.ts'
