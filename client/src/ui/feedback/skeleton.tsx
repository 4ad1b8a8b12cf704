import classes from './skeleton.module.css'

/** A place for text that is on its way. It stands still: hundreds of moving ones cost more than the rows they stand for. */
export function Skeleton({ width = '100%', height = 10 }: { width?: string | number; height?: number }) {
  return <span className={`block within ${classes['skeleton']}`} style={{ width, height }} aria-hidden />
}
