import { IconAlertCircle } from '@tabler/icons-react'
import classes from './login-page.module.css'

/** What stopped the form and belongs to none of its fields. */
export function Problem({ text }: { text: string | null }) {
  return (
    <div role="alert" className={classes['problemBox']}>
      {text === null ? null : (
        <p className={classes['problem']}>
          <IconAlertCircle size={16} />
          {text}
        </p>
      )}
    </div>
  )
}
