import { Component, type ReactNode } from 'react'
import { toast } from '#client/lib/toast.ts'
import { i18next } from '#client/lib/i18n.ts'

/** For a part of the screen that may fail without the rest: says so in a toast and draws nothing. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(): void {
    toast.error(i18next.t('errors:general.occurred'))
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}
