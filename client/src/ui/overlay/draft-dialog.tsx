import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'

/** A dialog whose input takes effort: Escape, an outside click and the close button ask before they discard changes. */
export function DraftDialog({ isChanged, onClose, children, ...dialog }: ComponentProps<typeof Dialog> & { isChanged: boolean }) {
  const { t } = useTranslation()
  const [asks, setAsks] = useState(false)
  return (
    <Dialog {...dialog} onClose={() => (isChanged ? setAsks(true) : onClose())}>
      {children}
      {asks ? (
        <ConfirmDialog
          title={t('discard.title')}
          consequence={t('discard.text')}
          action={t('discard.confirm')}
          count={1}
          onConfirm={async () => onClose()}
          onClose={() => setAsks(false)}
        />
      ) : null}
    </Dialog>
  )
}
