export { readFigures } from './read-figures.ts'
export type { Figure } from './read-figures.ts'
