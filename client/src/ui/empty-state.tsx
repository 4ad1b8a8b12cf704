import type { ReactNode } from 'react'
import { Picture, type PictureName } from './picture.tsx'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  picture: PictureName
  title: string
  text?: ReactNode
  action?: ReactNode
  heading?: 'h1' | 'h2'
}

/** One picture, one sentence, one action. */
export function EmptyState({ picture, title, text, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className={classes['root']}>
      <Picture name={picture} className={classes['picture']} />
      <div className={classes['words']}>
        <Heading className={classes['title']}>{title}</Heading>
        {text === undefined ? null : <div className={classes['text']}>{text}</div>}
      </div>
      {action === undefined ? null : <div className={classes['actions']}>{action}</div>}
    </div>
  )
}
