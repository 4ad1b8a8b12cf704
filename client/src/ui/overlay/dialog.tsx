import type { ModalProps } from '@mantine/core'
import { LateModal, Layer } from './layer.tsx'
import { useLayer } from './use-layer.ts'

/** Every dialog of the panel. It is open while it is rendered; `opened` is for a dialog that stays mounted to keep its state. */
export function Dialog({
  opened = true,
  onClose,
  closeOnEscape,
  closeOnClickOutside,
  ...modal
}: Omit<ModalProps, 'opened' | 'ref'> & { opened?: boolean }) {
  const layer = useLayer({ opened, closeOnEscape, closeOnClickOutside, asks: true, onClose })
  return (
    <Layer opened={opened} onClose={onClose}>
      <LateModal
        {...modal}
        {...layer}
        opened={opened}
        onClose={onClose}
        returnFocus={false}
        overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)', ...layer.overlayProps }}
      />
    </Layer>
  )
}
