import { Button, Modal, type ModalProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLayer } from './use-layer.ts'

/** Every dialog of the panel. It is open while it is rendered; `opened` is for a dialog that stays mounted to keep its state. */
export function Dialog({
  opened = true,
  onClose,
  closeOnEscape,
  closeOnClickOutside,
  ...modal
}: Omit<ModalProps, 'opened' | 'ref'> & { opened?: boolean }) {
  const [asking, setAsking] = useState(false)
  const layer = useLayer({ opened, closeOnEscape, closeOnClickOutside, asks: () => setAsking(true), onClose })
  return (
    <>
      <Modal
        {...modal}
        {...layer}
        opened={opened}
        onClose={onClose}
        returnFocus={false}
        overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)', ...layer.overlayProps }}
      />
      {asking && opened ? <DiscardDialog onKeep={() => setAsking(false)} onDiscard={() => (setAsking(false), onClose())} /> : null}
    </>
  )
}

/** Asks before the changed text of a dialog is lost. */
function DiscardDialog({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog onClose={onKeep} title={t('discard.title')} size={400}>
      <div className="column gap-16">
        <div className="size-13 secondary">{t('discard.text')}</div>
        <div className="flex gap-8 end mt-4">
          <Button variant="default" onClick={onKeep} data-autofocus>
            {t('discard.keep')}
          </Button>
          <Button color="red" onClick={onDiscard}>
            {t('discard.action')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
