import { Component, type ReactNode } from 'react'
import { i18next } from '#client/lib/i18n.ts'
import { isNotLoaded, renewFailedParts } from '#client/lib/lazy-part.tsx'
import { toast } from '#client/lib/toast.ts'

interface Props {
  children: ReactNode
  /** Closes the part, so that it can be opened again. */
  onFail?: () => void
}

/** Reports that a part of the screen could not be loaded or shown; it can be tried again. */
export function reportPartFailure(error: unknown): void {
  if (isNotLoaded(error)) {
    renewFailedParts()
    toast.ended('error', i18next.t('not_loaded.title'), i18next.t('not_loaded.text'), i18next.t('reload'), () => location.reload())
  } else {
    toast.error(i18next.t('errors:general.occurred'))
  }
}

/** For a part of the screen that may fail independently: reports the error in a toast and renders nothing. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(error: unknown): void {
    reportPartFailure(error)
    this.props.onFail?.()
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}
