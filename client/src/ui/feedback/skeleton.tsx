import classes from './skeleton.module.css'

/** A placeholder for text that is loading. It is not animated, because hundreds of animations would cost more than the rows they stand for. */
export function Skeleton({ width = '100%', height = 10 }: { width?: string | number; height?: number }) {
  return <span className={`block within ${classes['skeleton']}`} style={{ width, height }} aria-hidden />
}
