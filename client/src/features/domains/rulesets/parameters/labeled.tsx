import { type ReactNode, useId } from 'react'
import type { Parameters } from '../read-json.ts'
import classes from './parameters.module.css'

export interface ParameterFieldsProps {
  value: Parameters
  /** The error of a field by its path in the form. */
  errorOf: (path: string) => string | undefined
  onChange: (value: Parameters) => void
}

/** A group of controls with a label. */
export function Labeled({
  label,
  help,
  error,
  children,
}: {
  label: string
  help?: string
  error?: string | undefined
  children: ReactNode
}) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <span id={id} className={`block size-13 medium secondary ${classes['label']}`}>
        {label}
      </span>
      {children}
      {error === undefined ? null : (
        <p className="size-12 bad mt-4" role="alert">
          {error}
        </p>
      )}
      {help === undefined || error !== undefined ? null : <p className="size-12 muted mt-4 pretty">{help}</p>}
    </div>
  )
}
