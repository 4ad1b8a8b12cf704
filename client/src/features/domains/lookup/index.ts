/** Looking up pasted names in other features, which do not load the components for adding domains with it. */
export { usePastedNames } from './use-pasted-names.ts'
