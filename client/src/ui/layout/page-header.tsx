import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'
import classes from './page-header.module.css'

interface PageHeaderProps {
  title: string
  meta?: ReactNode
  /** `meta` only reserves space for loading content. */
  pending?: boolean
  actions?: ReactNode
}

/** The title of a page (and of the browser tab), its description, and its main actions. */
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
