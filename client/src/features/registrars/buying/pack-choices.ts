import { noChoices, type Choices } from './offers.ts'

interface Packed {
  readonly all: boolean
  readonly included: readonly (readonly [string, boolean])[]
  readonly picks: readonly (readonly [
    string,
    { readonly registrarId: string; readonly agreed: { minor: number; currency: string } | null },
  ])[]
}

/** JSON has no maps. */
export const packChoices = ({ all, included, picks }: Choices): Packed => ({ all, included: [...included], picks: [...picks] })

/** Unknown values count as no choice. */
export function unpackChoices(packed: unknown): Choices {
  if (typeof packed !== 'object' || packed === null) return noChoices
  const { all, included, picks } = packed as Partial<Packed>
  if (typeof all !== 'boolean' || !Array.isArray(included) || !Array.isArray(picks)) return noChoices
  try {
    return { all, included: new Map(included), picks: new Map(picks) }
  } catch {
    return noChoices
  }
}
