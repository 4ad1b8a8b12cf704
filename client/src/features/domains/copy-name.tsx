import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Domain } from '#shared/features/domains/schema.ts'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import classes from './list/domain-cells.module.css'

/** Copies the name in a row; a plain button, because a table renders one per row. */
export function CopyName({ domain }: { domain: Pick<Domain, 'displayName'> }) {
  const { t } = useTranslation(['domains', 'common'])
  const { copied, copy } = useCopy()
  const words = t(copied ? 'common:copied' : 'actions.copy_name')
  return (
    <button
      type="button"
      className={classes['copy']}
      data-copied={copied || undefined}
      aria-label={words}
      title={words}
      onClick={() => void copy(domain.displayName)}
    >
      {copied ? <IconCheck size={14} stroke={2} /> : <IconCopy size={14} stroke={1.7} />}
    </button>
  )
}
