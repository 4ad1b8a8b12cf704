import type { ReactNode } from 'react'
import type { Inputs } from '#client/lib/trpc.ts'

/** Renewals are planned from names at registrars, which need not be domains of the panel; redirects in the lists of the accounts. */
export type BulkRequest =
  | Inputs['operations']['preview']['request']
  | { readonly kind: 'auto_renew'; readonly input: { readonly enabled: boolean } }
  | { readonly kind: 'renew'; readonly input: { readonly years: number } }
  | { readonly kind: 'redirects'; readonly input: Omit<Inputs['operations']['previewDomainRedirects'], 'target'> }
export type BulkTarget = Inputs['operations']['preview']['target']
export type NamesTarget = Inputs['operations']['previewRenewal']['target']

/** Known facts about the selected domains, and the initial values of a form. */
export interface BulkAbout {
  /** The owner of all of them. */
  ownerId?: string
  /** How many are bound in a tracker. */
  bound?: number
  /** The domains, if all are loaded. */
  domains?: readonly { readonly id: string; readonly displayName: string }[]
  /** The suggested value. */
  ipAddress?: string
}

/** The props of each form: it keeps its own fields and returns a complete request. */
export interface BulkFormProps {
  busy: boolean
  about?: BulkAbout
  onSubmit: (request: BulkRequest) => void
  /** Renders its fields with the buttons of the dialog; while `incomplete` they cannot be submitted. */
  frame: (fields: ReactNode, submit: () => void, incomplete?: boolean) => ReactNode
}
