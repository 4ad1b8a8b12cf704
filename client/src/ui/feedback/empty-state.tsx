import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Picture, type PictureName } from '../display/picture.tsx'
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
    <div className={`row gap-16 center fill text-center ${classes['root']}`}>
      <Picture name={picture} className={classes['picture']} />
      <div className={`column gap-4 ${classes['words']}`}>
        <Heading className={classes['title']}>{title}</Heading>
        {text === undefined ? null : <div className="size-13 secondary pre-line">{text}</div>}
      </div>
      {action === undefined ? null : <div className="flex wrap gap-8 center mt-4">{action}</div>}
    </div>
  )
}

/** Nothing matches the filters. */
export function NoMatch({ title, text, onReset }: { title?: string; text?: ReactNode; onReset?: (() => void) | undefined }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      picture="search"
      title={title ?? t('filters.none')}
      text={text}
      action={onReset === undefined ? undefined : <ShowAll onClick={onReset} />}
    />
  )
}

/** Resets the filters of a list. */
export function ShowAll({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="default" onClick={onClick}>
      {t('filters.show_all')}
    </Button>
  )
}
