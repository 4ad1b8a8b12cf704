import { IconAlertCircle } from '@tabler/icons-react'
import classes from './problem.module.css'

/** An error of a form without a field. */
export function Problem({ text }: { text: string | null }) {
  return (
    <div role="alert" className={classes['box']}>
      {text === null ? null : (
        <p className={`flex gap-8 size-13 primary radius on-bad p-8-10 ${classes['problem']}`}>
          <IconAlertCircle size={16} />
          {text}
        </p>
      )}
    </div>
  )
}
