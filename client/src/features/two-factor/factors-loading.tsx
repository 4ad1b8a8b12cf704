import { Skeleton } from '#client/ui/skeleton.tsx'
import rows from '#client/ui/row-list.module.css'

export function FactorsLoading() {
  return (
    <ul className="card" aria-busy>
      {[0, 1].map((row) => (
        <li key={row} className={`divided ${rows['row']}`}>
          <Skeleton width="50%" />
        </li>
      ))}
    </ul>
  )
}
