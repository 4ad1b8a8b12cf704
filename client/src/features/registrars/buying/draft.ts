import { newDomain, type NewDomain } from '#client/features/domains/index.ts'
import type { InTracker } from '#client/features/trackers/index.ts'
import { auth } from '#client/lib/auth.ts'
import { createStore } from '#client/lib/store.ts'
import { noChoices, type Choices } from './offers.ts'
import { packChoices, unpackChoices } from './pack-choices.ts'
import { readTab, writeTab } from './tab-storage.ts'

/** The parts of generated names, as in the form fields. */
export interface VariantFields {
  words: string
  prefixes: string
  suffixes: string
  zones: string
  from: string
  to: string
  joint: 'plain' | 'hyphen' | 'both'
}

interface Draft {
  text: string
  variants: VariantFields
  /** The owner of registrars and accounts; null: the user. */
  ownerId: string | null
  /** Null: all working ones with an API. */
  registrarIds: string[] | null
  choices: Choices
  /** The term; a name that is not sold for it is bought for its shortest longer term. */
  years: number
  privacy: boolean
  autoRenew: boolean
  /** Null: the default one. */
  contactId: string | null
  /** Null: not selected. */
  accountIds: string[] | null
  values: NewDomain
  /** Null: bound in no tracker. */
  tracker: InTracker | null
}

const empty: Draft = {
  text: '',
  variants: { words: '', prefixes: '', suffixes: '', zones: 'com', from: '', to: '', joint: 'plain' },
  ownerId: null,
  registrarIds: null,
  choices: noChoices,
  years: 1,
  privacy: true,
  autoRenew: true,
  contactId: null,
  accountIds: null,
  values: newDomain,
  tracker: null,
}

/** Parses the stored draft; unknown values are dropped. */
function parseDraft(kept: unknown): Draft {
  if (typeof kept !== 'object' || kept === null || !('text' in kept) || typeof kept.text !== 'string') return empty
  const rest = kept as Partial<Draft>
  return { ...empty, ...rest, values: { ...newDomain, ...rest.values }, choices: unpackChoices(rest.choices) }
}

/** The input of the page, kept when the page is left or reloaded, until the names are bought. */
export const draft = createStore<Draft>(parseDraft(readTab('draft')))
draft.subscribe(() => {
  const value = draft.get()
  if (value === empty) return writeTab('draft', null)
  writeTab('draft', { ...value, choices: packChoices(value.choices) })
})
export const changeDraft = (part: Partial<Draft>): void => draft.set((before) => ({ ...before, ...part }))
/** After the purchase has started; the setup is kept as the default for the next one. */
export const dropNames = (): void => changeDraft({ text: '', choices: noChoices })
auth.subscribe(() => {
  if (!auth.get().isAuthenticated) draft.set(empty)
})
