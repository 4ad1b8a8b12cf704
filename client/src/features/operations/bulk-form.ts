import type { ReactNode } from 'react'
import type { DomainKind } from '#shared/features/operations/registry.ts'
import type { Inputs } from '#client/lib/trpc.ts'

export type BulkKind = DomainKind | 'auto_renew' | 'renew'
/** Renewals are planned from names at registrars, which need not be domains of the panel. */
export type BulkRequest =
  | Inputs['operations']['preview']['request']
  | { readonly kind: 'auto_renew'; readonly input: { readonly enabled: boolean } }
  | { readonly kind: 'renew'; readonly input: { readonly years: number } }
export type BulkTarget = Inputs['operations']['preview']['target']
export type NamesTarget = Inputs['operations']['previewRenewal']['target']

/** What is known about the chosen domains, and what a form begins with. */
export interface BulkAbout {
  /** The owner of all of them. */
  ownerId?: string
  /** How many are bound in a tracker. */
  bound?: number
  /** Where they are all here. */
  domains?: readonly { readonly id: string; readonly displayName: string }[]
  /** That is suggested. */
  ipAddress?: string
}

/** What each form is given: it holds its fields itself and reports a whole request. */
export interface BulkFormProps {
  busy: boolean
  about?: BulkAbout
  onSubmit: (request: BulkRequest) => void
  /** Its fields inside the dialog's form, with the dialog's buttons; while `incomplete` they cannot be sent. */
  frame: (fields: ReactNode, submit: () => void, incomplete?: boolean) => ReactNode
}
