import type { Ctx } from '#server/platform/context.ts'
import { profileRef, refsOf } from '#shared/features/profiles/rules.ts'
import { listProfileNames } from './profiles.repo.ts'

/** Finds the owner's profile that added a rule, by the rule's reference. */
export async function findProfilesOfRules(
  ctx: Pick<Ctx, 'db'>,
  ownerId: string,
): Promise<(ref: string | null) => { readonly id: string; readonly name: string } | null> {
  const profiles = await listProfileNames(ctx.db.orm, ownerId)
  const isKnown = refsOf(profiles.map(({ id }) => id))
  return (ref) => (ref !== null && isKnown(ref) ? (profiles.find(({ id }) => ref.startsWith(profileRef(id, ''))) ?? null) : null)
}
