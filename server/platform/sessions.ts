import { createHash, randomBytes } from 'node:crypto'
import { Lucia, TimeSpan } from 'lucia'
import type { Adapter } from 'lucia'
import type { Database, Queryable } from '#server/db/client.ts'
import type { UserActor } from '#server/platform/actor.ts'
import { batchLookups } from '#server/platform/batch-lookups.ts'
import {
  deleteExpiredSessions,
  deletePasswordSessionsOf,
  deleteSession,
  deleteSessionsOf,
  extendSession,
  insertSession,
  listSessions,
  listSessionsOf,
  lockProof,
  touchSessions,
  verifySession,
} from '#server/platform/sessions.repo.ts'
import type { SessionRow } from '#server/platform/sessions.repo.ts'
import type { Role, SessionProof } from '#shared/features/auth/schema.ts'
import { personLabel } from '#shared/features/users/person-label.ts'

interface SessionOrigin {
  readonly address: string | null
  readonly userAgent: string | null
}

/** Bearer sessions. The only file that uses lucia. */
export interface Sessions {
  /** The token is shown once; the database stores its hash. */
  create(db: Queryable, userId: string, from: SessionOrigin, by?: SessionProof): Promise<string>
  /** Null for an unknown, ended or expired token. */
  find(token: string): Promise<UserActor | null>
  end(db: Queryable, sessionId: string): Promise<void>
  /** Records a successful authentication with a password or a second factor. */
  verify(db: Queryable, sessionId: string, at: Date, by: SessionProof): Promise<void>
  /** The last authentication method, locked until the transaction ends; null if the session has ended. */
  lockProof(tx: Queryable, sessionId: string): Promise<SessionProof | null>
  endAllOf(db: Queryable, userId: string, except?: string): Promise<void>
  /** Ends the person's other sessions with password-only authentication. Returns their number. */
  endPasswordOnlyOf(db: Queryable, userId: string, except: string): Promise<number>
  /** Deletes expired sessions. */
  sweep(): Promise<void>
}

/** Sessions end when unused for this long (at least half of it), and always at the maximum lifetime of the settings. */
const idle = new TimeSpan(7, 'd')
const touchAfterMs = 5 * 60_000

interface SessionAttributes {
  address: string | null
  userAgent: string | null
  verifiedAt?: Date
  verifiedBy?: SessionProof
}
interface UserAttributes {
  username: string
  name: string | null
  role: Role
  hasSecondFactor: boolean
  secondFactorDue: boolean
  hasGrants: boolean
}
declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Pick<SessionAttributes, 'verifiedAt' | 'verifiedBy'>, UserAttributes>
    DatabaseSessionAttributes: SessionAttributes
    DatabaseUserAttributes: UserAttributes
  }
}

const hash = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Beyond lucia's own extension threshold: it would otherwise try to extend a session at its limit at every request. */
const never = new Date(8.64e15)

const toLucia = ({ id, userId, expiresAt, address, userAgent, verifiedAt, verifiedBy }: SessionRow) => ({
  id,
  userId,
  expiresAt,
  attributes: { address, userAgent, verifiedAt, verifiedBy },
})

export function createSessions(database: Database): Sessions {
  const load = batchLookups(async (ids) => {
    const rows = await listSessions(database, ids)
    const now = new Date()
    const stale = rows.filter(({ session }) => now.getTime() - session.lastUsedAt.getTime() > touchAfterMs)
    if (stale.length > 0) {
      await touchSessions(
        database.orm,
        stale.map(({ session }) => session.id),
        now,
      )
    }
    return new Map(rows.map((row) => [row.session.id, row]))
  })

  // Lucia gets the hash as session id, so that it stores and deletes by hash only.
  const adapter = (db: Queryable): Adapter => ({
    async getSessionAndUser(id) {
      const row = await load(id)
      if (row === undefined) return [null, null]
      const { id: userId, ...attributes } = row.user
      return [
        { ...toLucia(row.session), ...(row.isLast && { expiresAt: never }) },
        { id: userId, attributes },
      ]
    },
    getUserSessions: async (userId) => (await listSessionsOf(db, userId)).map(toLucia),
    setSession: ({ id, userId, expiresAt, attributes }) => insertSession(db, { id, userId, expiresAt, ...attributes }),
    updateSessionExpiration: (id, expiresAt) => extendSession(db, id, expiresAt),
    deleteSession: (id) => deleteSession(db, id),
    deleteUserSessions: (userId) => deleteSessionsOf(db, userId),
    deleteExpiredSessions: () => deleteExpiredSessions(db),
  })
  const lucia = (db: Queryable) =>
    new Lucia(adapter(db), {
      sessionExpiresIn: idle,
      getUserAttributes: ({ username, name, role, hasSecondFactor, secondFactorDue, hasGrants }) => ({
        username,
        name,
        role,
        hasSecondFactor,
        secondFactorDue,
        hasGrants,
      }),
      getSessionAttributes: ({ verifiedAt, verifiedBy }) => ({ verifiedAt, verifiedBy }),
    })
  const pool = lucia(database.orm)

  return {
    async create(db, userId, { address, userAgent }, by = 'password') {
      const token = randomBytes(32).toString('base64url')
      await lucia(db).createSession(userId, { address, userAgent, verifiedBy: by }, { sessionId: hash(token) })
      return token
    },
    async find(token) {
      const { session, user } = await pool.validateSession(hash(token))
      if (session === null) return null
      return {
        kind: 'user',
        userId: user.id,
        name: personLabel(user),
        role: user.role,
        sessionId: session.id,
        verifiedAt: session.verifiedAt ?? null,
        ...(session.verifiedBy !== undefined && { verifiedBy: session.verifiedBy }),
        hasSecondFactor: user.hasSecondFactor,
        secondFactorDue: user.secondFactorDue,
        hasGrants: user.hasGrants,
      }
    },
    verify: verifySession,
    lockProof,
    end: (db, sessionId) => lucia(db).invalidateSession(sessionId),
    endAllOf: (db, userId, except) => deleteSessionsOf(db, userId, except),
    endPasswordOnlyOf: deletePasswordSessionsOf,
    sweep: () => pool.deleteExpiredSessions(),
  }
}
