import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation, OperationPreview } from '#shared/features/operations/schema.ts'
import links from '#client/ui/display/text-link.module.css'
import { useUndo } from './mutations.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import { useOperationWords } from './use-operation-words.ts'

/** An operation in a list of another page: its name, facts about it, and its undo, which is shown as a preview. */
export function OperationLine({
  operation,
  children,
}: {
  operation: Pick<Operation, 'id' | 'kind' | 'subject'> & { readonly canOpen: boolean; readonly canUndo: boolean }
  children: ReactNode
}) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const navigate = useNavigate()
  const nameId = useId()
  const [undoing, setUndoing] = useState<OperationPreview | null>(null)
  const undo = useUndo(setUndoing)
  const { id, canOpen, canUndo } = operation
  const name = words.kind(operation)
  return (
    <>
      <div className="column gap-2 anywhere">
        <span id={nameId}>
          {canOpen ? (
            <Link to="/operations/$id" params={{ id }} className={`underlined ${links['link']}`}>
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
        {children}
      </div>
      {canUndo ? (
        <Button
          variant="default"
          size="xs"
          loading={undo.busy}
          leftSection={<IconArrowBackUp size={15} stroke={1.8} aria-hidden />}
          onClick={() => undo.ask(id)}
          aria-describedby={nameId}
        >
          {t('page.undo')}
        </Button>
      ) : null}
      {undoing === null ? null : (
        <PreviewDialog
          title={t('preview.undo_title', { domains: words.items(undoing.operation, undoing.operation.total + undoing.unchanged) })}
          preview={undoing}
          onStarted={() => {
            setUndoing(null)
            void navigate({ to: '/operations/$id', params: { id: undoing.operation.id }, search: {} })
          }}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  )
}
