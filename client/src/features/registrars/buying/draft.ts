import { newDomain, type NewDomain } from '#client/features/domains/index.ts'
import type { InTracker } from '#client/features/trackers/index.ts'
import { auth } from '#client/lib/auth.ts'
import { createStore } from '#client/lib/store.ts'
import { noChoices, type Choices } from './offers.ts'
import { packChoices, unpackChoices } from './pack-choices.ts'
import { readTab, writeTab } from './tab-storage.ts'

/** What names are made of, as its fields hold it. */
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
  /** Whose registrars and accounts; null: one's own. */
  ownerId: string | null
  /** Null: all that have an API and work. */
  registrarIds: string[] | null
  choices: Choices
  /** For how long; what is not sold for so short a time is bought for the least that it is sold for. */
  years: number
  privacy: boolean
  autoRenew: boolean
  /** Null: the default one. */
  contactId: string | null
  /** Null: not chosen. */
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

/** Reads what a tab kept; what is not understood is left out. */
function parseDraft(kept: unknown): Draft {
  if (typeof kept !== 'object' || kept === null || !('text' in kept) || typeof kept.text !== 'string') return empty
  const rest = kept as Partial<Draft>
  return { ...empty, ...rest, values: { ...newDomain, ...rest.values }, choices: unpackChoices(rest.choices) }
}

/** What was typed and chosen: the page that is left or loaded again comes back with it, until the names are bought. */
export const draft = createStore<Draft>(parseDraft(readTab('draft')))
draft.subscribe(() => {
  const value = draft.get()
  if (value === empty) return writeTab('draft', null)
  writeTab('draft', { ...value, choices: packChoices(value.choices) })
})
export const changeDraft = (part: Partial<Draft>): void => draft.set((before) => ({ ...before, ...part }))
/** The names are on their way; how they were to be set up is asked for the same way the next time. */
export const dropNames = (): void => changeDraft({ text: '', choices: noChoices })
auth.subscribe(() => {
  if (!auth.get().isAuthenticated) draft.set(empty)
})
