import { Skeleton } from '#client/ui/skeleton.tsx'
import classes from './two-factor.module.css'

export function FactorsLoading() {
  return (
    <ul className={classes['factors']} aria-busy>
      {[0, 1].map((row) => (
        <li key={row} className={classes['factor']}>
          <Skeleton width="50%" />
        </li>
      ))}
    </ul>
  )
}
