import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { PreviewDialog } from '#client/features/operations/index.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { AddManyForm } from './add-many-form.tsx'
import { AddOneForm } from './add-one-form.tsx'
import { dropManyDraft, manyDraft } from './many-draft.ts'

/** Adds one domain, or many from a list (R-DOM-05, 07); opens on any page. */
export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('domains')
  const navigate = useNavigate()
  const [mode, setMode] = useState<'single' | 'many'>(() => (manyDraft.get().text.trim() === '' ? 'single' : 'many'))
  const [asking, setAsking] = useState(true)
  const [preview, setPreview] = useState<OperationPreview | null>(null)
  return (
    <>
      <Dialog
        opened={preview === null}
        onClose={onClose}
        title={t(asking ? 'add.title' : 'add.done_title')}
        size={mode === 'single' ? 560 : 680}
        keepMounted
      >
        <div className="column gap-16">
          {asking ? (
            <SegmentedControl
              className="self-start"
              value={mode}
              onChange={setMode}
              aria-label={t('add.mode')}
              data={[
                { value: 'single', label: t('add.single') },
                { value: 'many', label: t('add.many') },
              ]}
            />
          ) : null}
          {mode === 'single' ? (
            <AddOneForm onAdded={() => setAsking(false)} onAgain={() => setAsking(true)} onClose={onClose} />
          ) : (
            <AddManyForm onPreview={setPreview} onClose={onClose} />
          )}
        </div>
      </Dialog>
      {preview === null ? null : (
        <Suspense>
          <PreviewDialog
            title={t('add.many_title')}
            preview={preview}
            onBack={() => setPreview(null)}
            onStarted={() => {
              dropManyDraft()
              onClose()
              void navigate({ to: '/operations/$id', params: { id: preview.operation.id } })
            }}
            onClose={onClose}
          />
        </Suspense>
      )}
    </>
  )
}
