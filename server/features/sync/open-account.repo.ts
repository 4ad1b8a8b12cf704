import { eq } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { accounts } from '#server/db/schema/index.ts'

/** An account of any owner. */
export async function findAccount(db: Queryable, id: string) {
  const [row] = await db
    .select({
      id: accounts.id,
      ownerId: accounts.ownerId,
      name: accounts.name,
      email: accounts.email,
      kind: accounts.kind,
      apiKeySealed: accounts.apiKeySealed,
      credentialHash: accounts.credentialHash,
      checkRunId: accounts.checkRunId,
      providerUserId: accounts.providerUserId,
      providerAccountIds: accounts.providerAccountIds,
    })
    .from(accounts)
    .where(eq(accounts.id, id))
  return row ?? null
}
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>
