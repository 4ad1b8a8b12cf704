import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'

/**
 * A dialog whose input takes effort: Escape, an outside click and the close button ask before they discard changes, and so does a button
 * inside that calls the function that `children` gets.
 */
export function DraftDialog({
  isChanged,
  busy = false,
  onClose,
  children,
  ...dialog
}: Omit<ComponentProps<typeof Dialog>, 'children'> & {
  isChanged: boolean
  /** It cannot be closed. */ busy?: boolean
  children: ReactNode | ((close: () => void) => ReactNode)
}) {
  const { t } = useTranslation()
  const [asks, setAsks] = useState(false)
  const close = (): void => {
    if (busy) return
    if (isChanged) setAsks(true)
    else onClose()
  }
  return (
    <Dialog {...dialog} onClose={close}>
      {typeof children === 'function' ? children(close) : children}
      {asks ? (
        <ConfirmDialog
          title={t('discard.title')}
          consequence={t('discard.text')}
          action={t('discard.confirm')}
          cancel={t('discard.keep')}
          count={1}
          onConfirm={async () => onClose()}
          onClose={() => setAsks(false)}
        />
      ) : null}
    </Dialog>
  )
}
