import { Modal, type ModalProps } from '@mantine/core'
import { useLayer } from './use-layer.ts'

/** Every dialog of the panel. It is there while it is drawn; `opened` is for one that keeps what it holds. */
export function Dialog({
  opened = true,
  onClose,
  closeOnEscape,
  closeOnClickOutside,
  ...modal
}: Omit<ModalProps, 'opened' | 'ref'> & { opened?: boolean }) {
  const layer = useLayer({ opened, closeOnEscape, closeOnClickOutside, asks: true, onClose })
  return (
    <Modal
      {...modal}
      {...layer}
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)', ...layer.overlayProps }}
    />
  )
}
