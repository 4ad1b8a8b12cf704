import classes from './skeleton.module.css'

/** A place for text that is on its way. */
export function Skeleton({ width = '100%', height = 10 }: { width?: string | number; height?: number }) {
  return <span className={classes['skeleton']} style={{ width, height }} aria-hidden />
}
