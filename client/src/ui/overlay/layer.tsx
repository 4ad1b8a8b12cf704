import type { DrawerProps, ModalProps } from '@mantine/core'
import { type ComponentType, type FunctionComponent, type ReactNode, Suspense, useEffect, useState } from 'react'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { ErrorBoundary } from '../feedback/error-boundary.tsx'

/** The frames of dialogs, sheets, menus and popovers, which no page needs before one is opened. */
export const loadLayers = () => import('./layers.ts')
export const LateModal = lazyPart<ModalProps>(async () => (await loadLayers()).Modal)
export const LateDrawer = lazyPart<DrawerProps>(async () => (await loadLayers()).Drawer)
/** Loads them in advance. */
export const warmLayers = () => Promise.all([LateModal.load(), LateDrawer.load()])

/** Renders what is loaded when it is first opened. If it cannot be loaded, it closes and can be opened again. */
export function Layer({ opened, onClose, children }: { opened: boolean; onClose: () => void; children: ReactNode }) {
  // It stays, so that it closes with its transition and keeps its state.
  const [loaded, setLoaded] = useState(opened)
  useEffect(() => {
    if (opened) setLoaded(true)
  }, [opened])
  const onFail = (): void => {
    setLoaded(false)
    onClose()
  }
  return opened || loaded ? (
    <ErrorBoundary onFail={onFail}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  ) : null
}

/** A dialog whose code is loaded when it is first opened. */
export function lateDialog<Props extends { onClose: () => void }>(load: () => Promise<ComponentType<Props>>): FunctionComponent<Props> {
  const Part = lazyPart(load)
  return function LateDialog(props) {
    return (
      <Layer opened onClose={props.onClose}>
        <Part {...props} />
      </Layer>
    )
  }
}
