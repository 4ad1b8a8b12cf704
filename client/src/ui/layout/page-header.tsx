import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'
import classes from './page-header.module.css'

interface PageHeaderProps {
  title: string
  meta?: ReactNode
  /** `meta` only keeps the room for what is on its way. */
  pending?: boolean
  actions?: ReactNode
}

/** Title of a page (and of the browser's tab), what it is about, and its main actions. */
export function PageHeader({ title, meta, pending = false, actions }: PageHeaderProps) {
  useTitle(title)
  return (
    <div className={`row wrap between fixed gap-8-16 mb-12 ${classes['root']}`}>
      <div className={`flex wrap baseline shrink ${classes['words']}`}>
        <h1 className="anywhere">{title}</h1>
        {meta === undefined ? null : (
          <div className={`size-13 muted ${classes['meta']}`} data-pending={pending || undefined}>
            {meta}
          </div>
        )}
      </div>
      {actions === undefined ? null : <div className="row wrap gap-8">{actions}</div>}
    </div>
  )
}
